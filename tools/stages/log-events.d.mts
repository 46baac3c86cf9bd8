export function allLogged(
  logged: ReadonlySet<string>,
  options: { readonly catalogue: readonly string[]; readonly specs: string; readonly notProvoked: readonly string[] },
): { readonly passed: number; readonly failed: number; readonly notes: readonly string[] };
