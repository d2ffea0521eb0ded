/** Messages between the page's script and the one behind the button. */

/** The button was clicked on a page that has the script already. */
export interface Clicked {
  readonly type: "clicked";
}

/** The page's script asks for what only the one behind the button may do. */
export type Request =
  | { readonly type: "badge"; readonly text: string; readonly title: string }
  | { readonly type: "style"; readonly css: string; readonly before: string }
  | { readonly type: "options" };
