/** The build and Jest import a style sheet and the browser script as text. */
declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*?script' {
  const text: string;
  export default text;
}
