declare module 'virtual:operations' {
  import type { DescribedOperation } from '@pay/contracts';
  const operations: Readonly<Record<string, DescribedOperation>>;
  export default operations;
}
declare module '*.css';
declare module '@fontsource/*';
