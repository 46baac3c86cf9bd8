import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS, refusalDetail } from '@pay/contracts';
import { details } from './bn-details';
import { failures } from './bn-failures';
import { failureText } from './failure-text';

const DESCRIPTION = join(__dirname, '..', '..', '..', '..', 'docs', 'openapi.json');

describe('failureText', () => {
  it('has a Bangla text for each code with which the API can refuse a session', () => {
    expect(Object.keys(failures).sort()).toEqual(codesOfSessions());
  });

  it('is Bangla in the Bangla dashboard, and the text of the API in the English one', () => {
    const failure = { code: 'LAST_OWNER', message: 'A merchant must have at least one active OWNER.' };

    expect(failureText(failure, 'bn')).toBe(failures.LAST_OWNER);
    expect(failureText(failure, 'en')).toBe(failure.message);
  });

  it('names the fields of an invalid request as the pages do', () => {
    const message = 'limits.dailyAmount must be an amount in BDT\nnewPassword must be at least 12 characters';

    expect(failureText({ code: 'VALIDATION', message }, 'en')).toBe(
      'Amount per day must be an amount in BDT. New password must be at least 12 characters.',
    );
    expect(failureText({ code: 'VALIDATION', message }, 'bn')).toBe(
      'দৈনিক টাকা: টাকার পরিমাণ দিন, যেমন 500 বা 500.50। নতুন পাসওয়ার্ড: অন্তত ১২ অক্ষর দিন।',
    );
  });

  it('keeps the message about an unknown field, and of an unknown code', () => {
    const invalid = { code: 'VALIDATION', message: 'newerField must not be empty' };

    expect(failureText(invalid, 'bn')).toBe('পাঠানো তথ্য ঠিক নেই: newerField must not be empty');
    expect(failureText({ code: 'NEWER_CODE', message: 'Something new.' }, 'bn')).toContain('Something new.');
  });

  it.each([
    ['TIME_OUT_OF_RANGE', refusalDetail('clockTooFar'), 'সময়টি আজ থেকে সর্বোচ্চ ৩০ দিন পরের হতে পারে।'],
    ['VALIDATION', refusalDetail('urlNotHttps'), 'LIVE এন্ডপয়েন্টের URL https দিয়ে শুরু হতে হবে।'],
    [
      'ENDPOINT_VERIFICATION_FAILED',
      refusalDetail('endpointAnsweredOtherwise', { status: 404, response: '<h1>No. (x)</h1>' }),
      'এন্ডপয়েন্টের উত্তর 404: <h1>No. (x)</h1>। 2xx-এর সঙ্গে পাঠানো {"challenge": "..."} ফেরত আসার কথা ছিল।',
    ],
  ])('translates the detail of %s into Bangla: %s', (code, message, text) => {
    expect(failureText({ code, message }, 'bn')).toBe(text);
  });

  it('translates an error that contains another one, and the failure of a request, into Bangla', () => {
    const answer = refusalDetail('endpointSilent', { outcome: 'CONNECT (ECONNREFUSED)' });
    const message = refusalDetail('testEndpointUnverified', { answer });

    expect(failureText({ code: 'TEST_ENDPOINT_REFUSED', message }, 'bn')).toBe(
      'পরীক্ষার এন্ডপয়েন্ট যাচাই করা যায়নি: এন্ডপয়েন্টে পৌঁছানো যায়নি: সার্ভারের সাথে সংযোগ হয়নি (ECONNREFUSED)।',
    );
  });

  it('keeps the values of a detail in both languages', () => {
    const valuesOf = (text: string) => [...text.matchAll(/<\w+>/g)].map(([name]) => name).sort();
    for (const [sentence, text] of Object.entries(details)) expect(valuesOf(text)).toEqual(valuesOf(sentence));
  });

  it('contains no Latin text where Bangla is meant', () => {
    const kept = /LIVE|API|TrxID|challenge/g;
    for (const text of Object.values(failures)) expect(text.replace(kept, '')).not.toMatch(/[A-Za-z]/);
  });
});

/** Codes of all answers that the API description has for routes with a session and for log-in. */
function codesOfSessions(): string[] {
  const document = JSON.parse(readFileSync(DESCRIPTION, 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, { $ref?: string }> }>>;
    components: { responses: Record<string, object> };
  };
  const ids = OPERATIONS.filter(
    ({ credential, tag, service }) =>
      service === 'dashboard-api' && (credential.kind === 'session' || tag === 'Sign-in'),
  ).map(({ id }) => id);
  const answers = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ operationId }) => ids.includes(operationId))
    .flatMap(({ responses }) => Object.values(responses))
    .map((answer) => document.components.responses[answer.$ref?.split('/').at(-1) ?? ''] ?? answer);
  return [...new Set(answers.flatMap(codesIn))].sort();
}

function codesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => {
    const own = name === 'code' ? (value as { readonly enum?: readonly string[] }).enum : undefined;
    return own ? [...own] : codesIn(value);
  });
}
