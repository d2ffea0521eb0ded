/** Settings: what a user has chosen, kept by the browser on this device. */

export const THEMES = ["auto", "light", "dark", "sepia"] as const;
export const FONTS = ["serif", "sans"] as const;
/** What a key does while the toolbar is shown. */
export const ACTIONS = ["reader", "edit", "copy", "save", "close"] as const;
export type Action = (typeof ACTIONS)[number];

export interface Settings {
  readonly highlight: string;
  /** Fade what is not main text. */
  readonly fade: boolean;
  readonly theme: (typeof THEMES)[number];
  readonly font: (typeof FONTS)[number];
  /** Pixels. */
  readonly size: number;
  /** Characters per line, about. */
  readonly width: number;
  readonly keys: Readonly<Record<Action, string>>;
}

export const SIZES = { min: 14, max: 32, step: 1 } as const;
export const WIDTHS = { min: 45, max: 110, step: 5 } as const;
export const DEFAULTS: Settings = {
  highlight: "#ffd23f",
  fade: true,
  theme: "auto",
  font: "serif",
  size: 19,
  width: 70,
  keys: { reader: "r", edit: "e", copy: "c", save: "s", close: "x" },
};

export async function loadSettings(): Promise<Settings> {
  const stored = await chrome.storage.local.get("settings");
  return withDefaults(stored.settings);
}

export async function saveSettings(settings: Settings): Promise<void> {
  await chrome.storage.local.set({ settings });
}

export function onSettingsChange(listener: (settings: Settings) => void): void {
  chrome.storage.local.onChanged.addListener((changes) => {
    if (changes.settings) listener(withDefaults(changes.settings.newValue));
  });
}

/** Settings of which every value is valid: an older version may have stored others. */
export function withDefaults(stored: unknown): Settings {
  const given = (typeof stored === "object" && stored !== null ? stored : {}) as Partial<Settings>;
  const keys = (given.keys ?? {}) as Partial<Settings["keys"]>;
  return {
    highlight: /^#[0-9a-f]{6}$/i.test(given.highlight ?? "") ? given.highlight! : DEFAULTS.highlight,
    fade: typeof given.fade === "boolean" ? given.fade : DEFAULTS.fade,
    theme: oneOf(THEMES, given.theme, DEFAULTS.theme),
    font: oneOf(FONTS, given.font, DEFAULTS.font),
    size: within(SIZES, given.size, DEFAULTS.size),
    width: within(WIDTHS, given.width, DEFAULTS.width),
    keys: Object.fromEntries(
      ACTIONS.map((action) => [action, isKey(keys[action]) ? keys[action] : DEFAULTS.keys[action]]),
    ) as Record<Action, string>,
  };
}

export function isKey(key: unknown): key is string {
  return typeof key === "string" && /^[a-z0-9]$/i.test(key);
}

function oneOf<T extends string>(choices: readonly T[], value: unknown, fallback: T): T {
  return choices.includes(value as T) ? (value as T) : fallback;
}

function within(range: { min: number; max: number }, value: unknown, fallback: number): number {
  return typeof value === "number" && value >= range.min && value <= range.max ? value : fallback;
}
