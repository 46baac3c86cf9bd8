/**
 * Whether an installation handles real money. Development and test must be requested by name: without NODE_ENV, or with
 * an unknown value, everything is as strict as in production. Every decision of this kind is made here.
 */
export function isProduction({ NODE_ENV }: { readonly NODE_ENV?: string | undefined }): boolean {
  return NODE_ENV !== 'development' && NODE_ENV !== 'test';
}
