import type { ApiFailure } from '../api/api-failure';
import { detailText } from './bn-details';
import { failures } from './bn-failures';
import type { Language } from './format';
import { validationText } from './validation-text';

const INVALID = 'পাঠানো তথ্য ঠিক নেই';
const FAILED = 'অনুরোধটি সফল হয়নি';

/**
 * Why the API refused a request. English is its own text with the names of fields that the pages use; unknown codes of
 * a newer API keep it in Bangla, too.
 */
export function failureText({ code, message }: Pick<ApiFailure, 'code' | 'message'>, language: Language): string {
  const lines = message.split('\n');
  if (language === 'en') return lines.map((line) => validationText(line, 'en') ?? line).join(' ');
  const known: Readonly<Record<string, string>> = failures;
  return (
    detailText(message) ??
    textOfLines(lines) ??
    (Object.hasOwn(known, code) ? known[code] : undefined) ??
    `${code === 'VALIDATION' ? INVALID : FAILED}: ${message}`
  );
}

/** Undefined if a line is not known. */
function textOfLines(lines: readonly string[]): string | undefined {
  const texts = lines.map((line) => detailText(line) ?? validationText(line, 'bn'));
  return texts.includes(undefined) ? undefined : texts.join(' ');
}
