export default class ProgressReporter {
  onTestFileStart(test: { readonly path: string }): void;
  onTestFileResult(test: { readonly path: string }): void;
}
