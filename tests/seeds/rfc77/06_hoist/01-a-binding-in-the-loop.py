# section: New Transform - Hoist Expression
# listing before: 1048
# listing after: 1056
# document before: no program
# document after: no program
# repair before: (4,4) => (4,)
# errata: the listing is there to show an error, and is none that can be made: the condition is read in front of the binding
#   that gives it its value
# errata: the listing before (line 1048) stores to a buffer of two dimensions with one index
# expect: refused: there is no place for it
# before
@T.prim_func
def first_three(A: T.Buffer((4,), "float32")):
    for i in range(4):
        is_in_bounds = i < 3
        if is_in_bounds:
            A[i] = T.float32(0)
# schedule
sch.hoist_expression("root", conditionals="IfElseStmt", bindings="None")
