import type { z } from 'zod';
import { isStorableText } from '../text';

/**
 * The problem of an absolute http or https URL, as the end of a sentence that names its field; undefined for a valid
 * one. `javascript:`, `data:` and `file:` are rejected (spec section 7). White space and a third slash before the host
 * are refused because URL parsers silently remove them.
 */
export function httpUrlProblem(value: string): string | undefined {
  if (/\s/.test(value)) return 'must not contain white space';
  if (!isStorableText(value) || !/^https?:\/\/[^/\\]/i.test(value)) return 'must be an absolute http or https URL';
  if (!URL.canParse(value)) return 'must be an absolute http or https URL with a valid host and port';
  const { username, password } = new URL(value);
  return username === '' && password === '' ? undefined : 'must not contain user info (the part before @)';
}

/** Example: https://shop.example/paid?order=7 */
export function isHttpUrl(value: string): boolean {
  return httpUrlProblem(value) === undefined;
}

/** The check of a field: one sentence that names the part of the URL that is wrong. */
export const refuseUnlessHttpUrl =
  (field: string) =>
  (value: string, context: z.RefinementCtx): void => {
    const problem = httpUrlProblem(value);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: `${field} ${problem}` });
  };
