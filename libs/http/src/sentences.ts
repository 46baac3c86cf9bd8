import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const MOST_SENTENCES = 100;

/**
 * Each sentence names its field as the caller wrote it (`messages[3].sender`) and never contains a value, which may be
 * a phone number. A schema message that already names the field is used unchanged.
 */
export function sentencesOf(issues: readonly Issue[], input: unknown, subject = 'body'): string[] {
  const sentences = issues.flatMap((issue) => sentencesOfIssue(issue, input, subject, []));
  return [...new Set(sentences)].slice(0, MOST_SENTENCES);
}

function sentencesOfIssue(issue: Issue, input: unknown, subject: string, above: readonly PropertyKey[]): string[] {
  const path = [...above, ...issue.path];
  // The key is text of the caller, so the message uses the inner issues instead.
  if (issue.code === 'invalid_key') {
    const owner = path.slice(0, -1);
    return issue.issues.flatMap((inner) => sentencesOfIssue({ ...inner, path: [] }, input, subject, owner));
  }
  return [sentence(issue, path, input, subject)];
}

function sentence(issue: Issue, path: readonly PropertyKey[], input: unknown, subject: string): string {
  const field = path.length === 0 ? subject : spell(path);
  const names = path.filter((step) => typeof step === 'string');
  const [root, leaf] = [names[0], names.at(-1)];
  const nested = path.length > 1;

  if (isMissing(issue, path, input)) {
    const saysSo = issue.message.includes('required') && leaf !== undefined && mentions(issue.message, leaf);
    if (!saysSo) return `${field} is required`;
  }
  if (mentions(issue.message, root ?? subject)) return issue.message;
  if (leaf !== undefined && mentions(issue.message, leaf)) {
    if (!nested) return issue.message;
    return issue.message.startsWith(leaf) ? field + issue.message.slice(leaf.length) : `${field}: ${issue.message}`;
  }
  return inOurWords(issue, field);
}

function inOurWords(issue: Issue, field: string): string {
  if (!issue.message.startsWith('Invalid ') && !issue.message.startsWith('Too ')) return `${field}: ${issue.message}`;
  if (issue.code === 'invalid_type') return `${field} must be ${withArticle(issue.expected)}`;
  if (issue.code === 'invalid_value') {
    return `${field} must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
  }
  if (issue.code === 'invalid_format') return `${field} must be a valid ${issue.format}`;
  // "Too small: expected string to have >=3 characters"
  if (issue.message.startsWith('Too ')) return `${field} is ${issue.message.replace(/^Too/, 'too')}`;
  return `${field} is not valid`;
}

function isMissing(issue: Issue, path: readonly PropertyKey[], input: unknown): boolean {
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_value' && issue.code !== 'invalid_union') return false;
  let value: unknown = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return true;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value === undefined;
}

function mentions(message: string, name: string): boolean {
  const at = message.indexOf(name);
  return at >= 0 && !/\w/.test(message[at - 1] ?? ' ') && !/\w/.test(message[at + name.length] ?? ' ');
}

/** Example: `messages[3].sender`. Names of the caller are truncated, because they can have any length. */
function spell(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    const name = String(step).slice(0, 40);
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

function withArticle(expected: string): string {
  const words: Record<string, string> = { int: 'whole number', record: 'object' };
  const word = words[expected] ?? expected;
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;
}
