import { OPERATIONS } from '@pay/contracts';
import type { z } from 'zod';
import { FIELD_NAMES, validationText } from './validation-text';

/** Fields whose values the pages choose, or that no form has. */
const NOT_TYPED =
  /^(?:acknowledge\w+|adapter|after|assigneeId|body|branding|cases|checkout|dryRun|enabledMethods|environment|eventTypes|evidenceRules|expectedAmount|isActive|kinds|limit|limits|merchantId|overlapSeconds|paymentMethod|receivedAmount|receivedAt|receiverAccountIds|relaxedSignals|requestId|requirePayer\w+|reviewBalanceBreaks|reviewForgerySignals|role|scopes|seconds|secret|simSlot|sims|support|until)$/;

const ENTERED = [undefined, '', ' ', 'x', '-1', 'a\nb', '\0', 'x'.repeat(100_000), 0, 1.5, 1e9];

interface Parts {
  readonly shape?: Readonly<Record<string, Part>>;
  /** Of an enumeration they are texts. */
  readonly options?: readonly (Part | string)[];
  readonly def: { readonly innerType?: Part; readonly in?: Part };
}
type Part = z.ZodType & Parts;

/** The errors of a body for what can be entered in each of its fields, also of its parts. */
function errorsOf(body: Part, part = body, wrap = (value: unknown) => value): string[] {
  const inner = [part.def.innerType, part.def.in, ...(part.options ?? [])].filter(isPart);
  return [
    ...inner.flatMap((each) => errorsOf(body, each, wrap)),
    ...Object.entries(part.shape ?? {}).flatMap(([name, each]) =>
      errorsOf(body, each, (value) => wrap({ [name]: value })),
    ),
    ...ENTERED.flatMap((value) => (body.safeParse(wrap(value)).error?.issues ?? []).map(({ message }) => message)),
  ];
}

const isPart = (each: Part | string | undefined): each is Part => typeof each === 'object';
const bodies = OPERATIONS.filter(({ service }) => service === 'dashboard-api')
  .map(({ body, describedBody }) => describedBody ?? body)
  .filter(isPart)
  .flatMap((body) => body.options?.filter(isPart) ?? [body]);
const fieldOf = (error: string) => /^[\w.]*?(\w+)(?=:? )/.exec(error)?.[1] ?? '';
/** A field that another kind of the same body has. */
const OF_OTHER_KIND = /expected never/;
const errors = [...new Set(bodies.flatMap((body) => errorsOf(body)))].filter(
  (error) => !OF_OTHER_KIND.test(error) && !NOT_TYPED.test(fieldOf(error)),
);

describe('validationText', () => {
  it.each(['en', 'bn'] as const)(
    'names the field of each error that a form can cause as the pages do (%s)',
    (language) => {
      expect(errors.length).toBeGreaterThan(80);
      expect(errors.filter((error) => validationText(error, language) === undefined)).toEqual([]);
    },
  );

  it('contains no word of the API in Bangla', () => {
    for (const error of errors)
      expect(validationText(error, 'bn')?.replaceAll(/TrxID|URL|https?:\/\//g, '')).not.toMatch(/[A-Za-z]/);
  });

  it('has no field that no request has', () => {
    const fields = new Set([...errors.map(fieldOf), 'to', 'since', 'expiresAt']);
    expect(Object.keys(FIELD_NAMES).filter((name) => !fields.has(name))).toEqual([]);
  });
});
