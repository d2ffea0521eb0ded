/** Style sheets are bundled as strings, since a page's policy may forbid to load them. */
declare module "*.css" {
  const text: string;
  export default text;
}
