export interface LintChildren {
  run(
    label: string,
    args: readonly string[],
    options: { readonly onLine: (line: string) => void },
  ): Promise<{ readonly code: number | null }>;
}

export interface LintResult {
  readonly passed: number;
  readonly failed: number;
  readonly notes: readonly string[];
  readonly byPart?: ReadonlyMap<string, { readonly passed: number; readonly failed: number }>;
}

export function lintProjects(children: LintChildren, parts: readonly string[]): Promise<LintResult>;
