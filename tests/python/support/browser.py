"""A headless Chromium that opens pages of this disk, tells what they asked for and what went wrong in them, and draws."""
import io
import json
import os
import pathlib
import tempfile

from needed import needed

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"  # of Debian's packages chromium and chromium-driver


def missing():
    """What of ./dev's packages for pages is not here."""
    out = [path for path in (CHROMIUM, DRIVER) if not os.path.exists(path)]
    for module in ("selenium", "PIL"):
        try:
            __import__(module)
        except ImportError:
            out.append(f"the Python module {module}")
    return out


class Browser:
    def __init__(self, width=1280, height=1000):
        needed(missing(), "no page is looked at")
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        # No name of a host is found, so a page that asks for one gets nothing, and its wish is in the log.
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-extensions",
                     "--hide-scrollbars", "--force-device-scale-factor=1", "--host-resolver-rules=MAP * ~NOTFOUND",
                     f"--window-size={width},{height}"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        # What it leaves behind goes when it is closed.
        self.scratch = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = webdriver.Chrome(service=Service(DRIVER, env={**os.environ, "TMPDIR": self.scratch.name}), options=options)
        self.driver.set_page_load_timeout(120)

    def close(self):
        self.driver.quit()
        self.scratch.cleanup()

    def open(self, page):
        """Opens it, with logs that hold what happens from now on alone."""
        self.driver.get("about:blank")
        for kind in ("browser", "performance"):
            self.driver.get_log(kind)
        self.driver.get(pathlib.Path(page).resolve().as_uri())

    def trouble(self):
        """What the page wrote to the console, or failed at, since this was asked last."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """The addresses that the page asked for since this was asked last."""
        out = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                out.append(message["params"]["request"]["url"])
            elif message["method"] == "Network.webSocketCreated":
                out.append(message["params"]["url"])
        return out

    def all(self, selector, within=None):
        return (within or self.driver).find_elements("css selector", selector)

    def one(self, selector, within=None):
        return (within or self.driver).find_element("css selector", selector)

    def text(self, selector):
        """What a reader sees of it."""
        return self.one(selector).text

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def picture(self, element, path=None):
        """The element as it is drawn."""
        from PIL import Image
        data = element.screenshot_as_png
        if path:
            pathlib.Path(path).write_bytes(data)
        return Image.open(io.BytesIO(data)).convert("RGB")


def colours(picture):
    """How many pixels are of each colour."""
    return {colour: count for count, colour in picture.getcolors(picture.width * picture.height)}


def near(colour, other, by=40):
    return all(abs(a - b) <= by for a, b in zip(colour, other))


def painted(picture, least=12):
    """Why the picture shows no text; empty where it does: an area with a ground, letters on it and their soft edges."""
    if picture.width < 20 or picture.height < 8:
        return f"it has {picture.width} times {picture.height} pixels"
    of = colours(picture)
    if len(of) < least:
        return f"it has {len(of)} colours"
    ground = max(of.values()) / (picture.width * picture.height)
    return f"{ground:.1%} of it are of one colour" if ground > 0.999 else ""


def counterexample_trouble(browser, values, folder=None):
    """Why the region of the counterexamples is not drawn with these (name, value) pairs; empty where it is."""
    section = browser.one("#counterexamples")
    if not section.is_displayed():
        return "it is not shown"
    rows = browser.all("tbody tr", section)
    shown = [tuple(cell.text for cell in browser.all("td", row)) for row in rows]
    for value in values:
        if tuple(value) not in shown:
            return f"{value} is not in {shown}"
    for k, part in enumerate([section, *rows]):
        size = part.size
        if size["width"] <= 0 or size["height"] <= 0:
            return f"{part.tag_name} has no size"
        picture = browser.picture(part, folder and pathlib.Path(folder) / f"counterexample-{k}.png")
        if abs(picture.width - size["width"]) > 2 or abs(picture.height - size["height"]) > 2:
            return f"its picture has {picture.size}, it has {size}"
        if why := painted(picture):
            return f"{part.tag_name}: {why}"
    if not any(near(colour, (0xB4, 0x23, 0x18)) for colour in colours(browser.picture(section))):
        return "nothing in it is red"
    return ""
