/**
 * Whether the production rules apply. Only NODE_ENV `development` or `test` turns them off; a missing or unknown value
 * counts as production.
 */
export function isProduction({ NODE_ENV }: { readonly NODE_ENV?: string | undefined }): boolean {
  return NODE_ENV !== 'development' && NODE_ENV !== 'test';
}
