import type { ApiFailure } from '../api/api-failure';
import { detailText } from './bn-details';
import { failures } from './bn-failures';
import type { Language } from './format';

const INVALID = 'পাঠানো তথ্য ঠিক নেই';
const FAILED = 'অনুরোধটি সফল হয়নি';

/** Why the API refused a request. English is its own text; unknown codes of a newer API keep it in Bangla, too. */
export function failureText({ code, message }: Pick<ApiFailure, 'code' | 'message'>, language: Language): string {
  if (language === 'en') return message;
  const known: Readonly<Record<string, string>> = failures;
  return (
    detailText(message) ??
    (Object.hasOwn(known, code) ? known[code] : undefined) ??
    `${code === 'VALIDATION' ? INVALID : FAILED}: ${message}`
  );
}
