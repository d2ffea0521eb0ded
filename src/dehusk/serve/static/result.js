// The report in its frame: what it tells about its thresholds, and the Markdown that it is given for them.

const PAUSE = 200; // milliseconds until a slider that rests is followed
const policy = globalThis.trustedTypes?.createPolicy("dehusk", { createHTML: (html) => html });

export class Result {
  /** Take the frame, and a function that returns the Markdown for a threshold. */
  constructor(frame, markdown) {
    Object.assign(this, { frame, markdown, threshold: null, timer: 0 });
    window.addEventListener("message", ({ source, data }) => {
      if (source === frame.contentWindow && data?.dehusk) this.hear(data);
    });
  }

  show(html) {
    this.threshold = null;
    // The frame is sandboxed and has no origin: even if there were a script of the page in it, it could reach nothing.
    this.frame.srcdoc = policy ? policy.createHTML(html) : html;
  }

  clear() {
    this.threshold = null;
    clearTimeout(this.timer);
    this.frame.removeAttribute("srcdoc");
  }

  hear({ ready, thresholds, wants }) {
    const threshold = Number(thresholds?.[0]);
    if (ready) this.tell({ offers: "Markdown" });
    else this.threshold = threshold >= 0 && threshold <= 1 ? threshold : null;
    if (!wants) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => this.tell({ text: await this.markdown(this.threshold) }), PAUSE);
  }

  tell(message) {
    this.frame.contentWindow?.postMessage({ dehusk: true, ...message }, "*");
  }
}
