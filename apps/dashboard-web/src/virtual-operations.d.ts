declare module 'virtual:operations' {
  const operations: Readonly<
    Record<string, { readonly method: string; readonly path: string; readonly roles: readonly string[] }>
  >;
  export default operations;
}
declare module '*.css';
declare module '@fontsource/*';
