// ── The page around a report ──

// A page that shows the report in a frame, as that of `dehusk serve` does, is told where the thresholds are, and may add
// another view of the text beside the clean one. Nothing of this is there in a report that stands alone.
const around = window.parent === window ? null : window.parent;

function tellAround(message) {
  around.postMessage({ dehusk: true, thresholds: cuts.map((cut) => cut.threshold), ...message }, "*");
}

/** Offer the other view, which the page around writes. */
function offer(name) {
  const shown = element("pre", "other");
  shown.id = "other";
  shown.hidden = true;
  shown.tabIndex = 0;
  shown.setAttribute("role", "region");
  shown.setAttribute("aria-label", name);
  shown.dir = "auto";
  clean.after(shown);
  const choice = element("div", "choice");
  choice.setAttribute("role", "radiogroup");
  choice.setAttribute("aria-label", "Show the text as");
  for (const [value, label] of [["clean", "Text"], ["other", name]]) choice.append(option(value, label));
  main.querySelector(".tool.words h2").replaceWith(choice);
  main.classList.add("offered");
}

function option(value, text) {
  const label = element("label");
  const input = element("input");
  Object.assign(input, { type: "radio", name: "written", value, checked: value === "clean" });
  input.addEventListener("change", () => {
    main.classList.toggle("other", value === "other");
    document.getElementById("other").hidden = value !== "other";
    clean.hidden = value === "other";
    tellAround({ wants: value === "other" });
  });
  label.append(input, element("span", "", text));
  return label;
}

if (around) {
  document.querySelector(".brand").hidden = true; // the page around has its own
  for (const cut of cuts) cut.slider.addEventListener("input", () => tellAround({ wants: main.classList.contains("other") }));
  window.addEventListener("message", ({ source, data: told }) => {
    if (source !== around || !told?.dehusk) return;
    if (told.offers && !document.getElementById("other")) offer(String(told.offers));
    if (told.text !== undefined) document.getElementById("other").textContent = String(told.text);
  });
  tellAround({ ready: true });
}
