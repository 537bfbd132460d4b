// The page of `hexproof report`: one file without anything from elsewhere. The data stands in it as JSON, and what is
// long is shown piece by piece, so that ten thousand obligations open at once.
#pragma once

namespace hexproof::tools {

inline constexpr const char* kPageHead = R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>hexproof</title>
<style>
:root{--ok:#1a7f37;--bad:#b42318;--open:#9a6700;--line:#d0d7de;--soft:#f6f8fa}
body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:1200px;padding:1rem;color:#1f2328;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;border-bottom:1px solid var(--line);padding-bottom:.2rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.2rem .5rem;border-bottom:1px solid var(--line)}
th{background:var(--soft)}code,pre,.diff td{font:12.5px/1.4 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.proved,.accepted,.ran,.passed{color:var(--ok)}.refuted,.vacuous,.rejected,.error,.internal-error{color:var(--bad)}.undecided,.unknown,.unsupported{color:var(--open)}
.diff{table-layout:fixed}.diff td{border:0;padding:0 .4rem;width:50%}.del{background:#ffebe9}.add{background:#dafbe1}.gap{color:#656d76;background:var(--soft)}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0;padding:.3rem .7rem}summary{cursor:pointer}
input,select,button{font:inherit;padding:.25rem .5rem;margin:.3rem .4rem .3rem 0}.bar{background:#54aeff;height:.7rem;display:inline-block;min-width:1px}
svg{max-width:100%;height:auto}.num{text-align:right}.facts td:first-child{width:14rem}.facts td:first-child code{overflow-wrap:normal}
.nest{border-left:4px solid #8c959f;margin:.15rem 0 .15rem .3rem;padding:.1rem 0 .1rem .5rem;font:12.5px/1.4 ui-monospace,monospace}
.nest.parallel,.nest.thread{border-color:#8250df}.nest.vectorized{border-color:#1a7f37}.nest.unrolled{border-color:#bf8700}.nest.memory{border-color:#54aeff}.nest.store{border-color:transparent;color:#656d76}
.asked{border:0;margin:0;padding:0}.asked ul{margin:.2rem 0;padding-left:1.2rem}#timeline svg{width:100%;font:11px system-ui,sans-serif;fill:#656d76}#timeline .cost{fill:#ddf4ff;stroke:#0969da;stroke-width:1.5}#timeline .axis{fill:none;stroke:#8c959f}
.mem{background:#54aeff;height:.6rem;display:inline-block;margin:0 .4rem;min-width:2px}
</style></head><body>
<h1 id="title"></h1><div id="page"></div>
<noscript>This page needs JavaScript to show its data, which is the JSON below.</noscript>
<script type="application/json" id="data">)html";

inline constexpr const char* kPageTail = R"html(</script>
<script>
"use strict";
const data=JSON.parse(document.getElementById("data").textContent),page=document.getElementById("page");
const el=(name,attrs,...parts)=>{const e=document.createElement(name);for(const k in attrs||{})e.setAttribute(k,attrs[k]);for(const p of parts)e.append(p);return e};
const section=(name,id)=>{const s=el("section",{id});s.append(el("h2",{},name));page.append(s);return s};
const table=(head,rows)=>{const t=el("table"),b=el("tbody");if(head.length)t.append(el("thead",{},el("tr",{},...head.map(h=>el("th",{},h)))));for(const r of rows)b.append(el("tr",{},...r.map(c=>c instanceof Node?el("td",{},c):el("td",{},el("code",{},String(c))))));t.append(b);return t};
document.title=data.title;
document.getElementById("title").append(data.title+": ",el("span",{class:data.verdict,id:"verdict"},data.verdict));
{const t=table([],data.facts);t.className="facts";page.append(t)}
if(data.errors.length){const s=section("Errors","errors");for(const e of data.errors)s.append(el("pre",{class:"error"},e))}
if(data.reasons.length){const s=section("In words","reasons");for(const e of data.reasons)s.append(el("pre",{},e))}
if(data.counterexamples.length){const s=section("Counterexamples","counterexamples");
 for(const c of data.counterexamples){s.append(el("p",{},el("b",{class:"refuted"},c.message)));if(c.statement)s.append(el("pre",{},c.statement));if(c.rows.length)s.append(table(c.head,c.rows))}}
if(data.layouts.length){const s=section("Layouts and padding","layouts");
 for(const l of data.layouts){s.append(el("p",{},el("code",{},l.text)));if(l.svg){const d=el("div");d.innerHTML=l.svg;s.append(d)}}}
if(data.nests&&data.nests.length){const s=section("Loops and memory","nests");let most=1;const widest=p=>{for(const x of p){most=Math.max(most,x.bytes);widest(x.parts)}};for(const n of data.nests)widest(n.parts);
 const draw=x=>{const d=el("div",{class:"nest "+x.kind},x.kind==="store"?"writes "+x.text:x.kind==="memory"?"memory "+x.text:(x.kind==="serial"?"":x.kind+" ")+x.text+" iterations");if(x.bytes)d.append(el("span",{class:"mem",style:"width:"+(240*x.bytes/most)+"px"}),x.bytes+" bytes");for(const p of x.parts)d.append(draw(p));return d};
 for(const n of data.nests){const d=el("details",{},el("summary",{},n.text));if(n===data.nests[data.nests.length-1])d.open=true;for(const p of n.parts)d.append(draw(p));s.append(d)}}
if(data.steps.length){const s=section("Steps","steps"),most=Math.max(1,...data.steps.map(x=>x.cost));
 data.steps.forEach((x,i)=>{const d=el("details",{class:"step"},el("summary",{},(i+1)+". "+x.rule+"  ",el("code",{},x.primitive),"  "+x.obligations+" obligations  ",el("span",{class:"bar",style:"width:"+(120*x.cost/most)+"px",title:x.cost+" resource units"})));
  d.addEventListener("toggle",()=>{if(!d.open||d.querySelector("table"))return;
   const b=el("tbody");for(const [k,l,r] of x.diff)b.append(k==="gap"?el("tr",{},el("td",{class:"gap",colspan:2},l)):el("tr",{},el("td",{class:k==="same"||l===null?"":"del"},l===null?"":l),el("td",{class:k==="same"||r===null?"":"add"},r===null?"":r)));
   d.append(el("table",{class:"diff"},b))});
  s.append(d)})}
if(data.obligations.length){const s=section("Time line of solver cost","timeline"),all=data.obligations,cost=o=>Number(o[7])||0,sum=a=>a.reduce((t,o)=>t+cost(o),0),by=new Map(),groups=[];
 all.forEach((o,i)=>{by.set(o[6],(by.get(o[6])||0)+1);const g=groups[groups.length-1];if(g&&g.name===o[0])g.end=i+1;else groups.push({name:o[0],begin:i,end:i+1})});
 s.append(el("p",{id:"asked"},all.length+" questions, "+sum(all)+" resource units in all; answered by "+[...by].map(([k,v])=>(k||"nobody")+": "+v).join(", ")));
 const wide=1000,high=120,left=60,columns=Math.min(all.length,500),of=[];for(let c=0;c<columns;++c)of.push(sum(all.slice(Math.floor(c*all.length/columns),Math.floor((c+1)*all.length/columns))));
 const most=Math.max(...of),y=v=>20+high-(most?high*v/most:0),x=c=>left+wide*c/columns,sv=(name,attrs,...parts)=>{const e=document.createElementNS("http://www.w3.org/2000/svg",name);for(const k in attrs)e.setAttribute(k,attrs[k]);e.append(...parts);return e};
 const draw=sv("svg",{viewBox:"0 0 "+(left+wide+20)+" "+(high+45)},sv("path",{class:"axis",d:"M"+left+" 14V"+y(0)+"H"+(left+wide+8)}),sv("path",{class:"cost",d:"M"+x(0)+" "+y(0)+of.map((v,c)=>"V"+y(v)+"H"+x(c+1)).join("")+"V"+y(0)}),
  sv("text",{x:left+6,y:13},most+" resource units for "+(columns<all.length?"about "+Math.round(all.length/columns)+" questions":"one question")),sv("text",{x:left-14,y:y(0)+4},"0"),sv("text",{x:left,y:y(0)+18},"question 1"),sv("text",{x:left+wide,y:y(0)+18,"text-anchor":"end"},String(all.length)));
 for(const g of groups){const from=x(columns*g.begin/all.length),to=x(columns*g.end/all.length);draw.append(sv("path",{class:"axis",d:"M"+from+" "+y(0)+"v4"}),sv("rect",{x:from,y:20,width:to-from,height:high,fill:"transparent"},sv("title",{},g.name+": questions "+(g.begin+1)+" to "+g.end+", "+sum(all.slice(g.begin,g.end))+" resource units")))}
 s.append(draw)}
if(data.obligations.length){const s=section("Obligations","obligations"),find=el("input",{id:"find",placeholder:"search",type:"search"}),status=el("select",{id:"status"}),more=el("button",{id:"more"},"show more"),count=el("span",{id:"count"});
 for(const v of ["all",...new Set(data.obligations.map(o=>o[5]))])status.append(el("option",{value:v},v));
 const body=el("tbody");s.append(find,status,count,el("table",{},el("thead",{},el("tr",{},...["of","rule","why","where","goal","verdict","solver","cost"].map(h=>el("th",{},h)))),body),more);
 // What is given is drawn when it is asked for.
 const asked=o=>{const d=el("details",{class:"asked"},el("summary",{},el("code",{},o[4])));d.addEventListener("toggle",()=>{if(!d.open||d.querySelector("ul"))return;const given=data.givens[o[8]];
  d.append(given.length?"given":"nothing is given",el("ul",{},...given.map(g=>el("li",{},el("code",{},String(g))))),"to show ",el("code",{},o[4]),el("div",{},o[5]+" by "+(o[6]||"nobody")+", "+o[7]+" resource units"));if(o[9])d.append(el("div",{},"formula ",el("code",{},o[9])))});return d};
 body.addEventListener("click",e=>{const row=e.target.closest("tr");if(row&&!e.target.closest("details")){const d=row.querySelector("details");d.open=!d.open}});
 let shown=0,hits=[];const add=()=>{for(const o of hits.slice(shown,shown+200))body.append(el("tr",{},...o.slice(0,8).map((c,i)=>el("td",i===5?{class:c}:i===7?{class:"num"}:{},i===4?asked(o):i===3?el("code",{},c):String(c)))));shown=Math.min(hits.length,shown+200);more.hidden=shown>=hits.length;count.textContent=shown+" of "+hits.length+" shown"};
 const search=()=>{const q=find.value.toLowerCase();hits=data.obligations.filter(o=>(status.value==="all"||o[5]===status.value)&&(!q||o.slice(0,8).join(" ").toLowerCase().includes(q)));body.textContent="";shown=0;add()};
 find.addEventListener("input",search);status.addEventListener("change",search);more.addEventListener("click",add);search()}
</script></body></html>
)html";

}  // namespace hexproof::tools
