import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPermitted, OPERATIONS, ROLES, rolesIn, type Environment, type Operation, type Role } from '@pay/contracts';
import { answerIn, exampleAnswers } from './example-answers';
import { loadPages } from './load-pages';
import { usePage } from './use-page';

const ID = '01935002-0000-7000-8000-00000000b001';

type Fields = Readonly<Record<string, unknown>>;
/** What differs from the examples of the API description: fields of an answer, or of each item of a list. */
type Answers = Readonly<Record<string, Fields | readonly Fields[]>>;

interface Page {
  /** Below /dashboard/<environment>. */
  readonly place: string;
  /** States of the page with different actions. */
  readonly states?: readonly Answers[];
  /** The page acts on SANDBOX wherever it is opened. */
  readonly isSandbox?: true;
  /** The page is the same in both environments. */
  readonly isOfMerchant?: true;
}

/** Of one role on a page, in all states of the page. */
interface Seen {
  /** Operations of all navigation entries and controls. */
  readonly shown: ReadonlySet<string>;
  /** Operations that are called with all controls, forms and dialogs. */
  readonly called: ReadonlySet<string>;
}

const environmentsOf = ({ isOfMerchant }: Page): readonly Environment[] =>
  isOfMerchant ? ['SANDBOX'] : ['SANDBOX', 'LIVE'];

const PAGES: readonly Page[] = [
  { place: 'overview' },
  { place: 'search?text=500' },
  { place: 'first-hour', isSandbox: true, states: [{ listEndpoints: [] }] },
  { place: 'payments' },
  { place: `payments/${ID}` },
  { place: 'exceptions' },
  {
    place: `exceptions/${ID}`,
    states: [
      { getException: { intentStatus: 'REVIEW_REQUIRED', kind: 'amount_differs' } },
      { getException: { status: 'CLOSED', matchStatus: 'REJECTED' } },
    ],
  },
  { place: 'sms' },
  { place: `sms/${ID}`, states: [{ getSmsEvent: { status: 'UNPARSED', reportedAt: null } }] },
  { place: 'sms/missing' },
  { place: 'sms/daily-close', states: [{}, { getDailyClose: { accounts: [] } }] },
  {
    place: 'devices',
    states: [
      { listDevices: [{ isDisabled: false }, { isDisabled: true }] },
      { listDevices: [{ allowsUnsignedTexts: false }] },
    ],
  },
  {
    place: 'receivers',
    states: [
      { listReceiverAccounts: [{ isActive: true }, { isActive: false }], listNumberProofs: [{ status: 'CODE_SENT' }] },
    ],
  },
  { place: 'api-keys', states: [{ listApiKeys: [{ state: 'ACTIVE' }, { state: 'LOCKED' }] }] },
  { place: 'webhooks' },
  {
    place: `webhooks/${ID}`,
    states: [
      { getEndpoint: { isVerified: false, isActive: true } },
      { getEndpoint: { isVerified: true, isActive: false, secretOverlapEndsAt: '2026-11-24T10:00:00.000Z' } },
    ],
  },
  { place: 'webhooks/deliveries' },
  { place: `webhooks/deliveries/${ID}` },
  { place: 'testing', isOfMerchant: true },
  { place: 'testing/cases', isOfMerchant: true },
  { place: 'testing/endpoint', isOfMerchant: true, states: [{}, { getTestEndpoint: [] }] },
  { place: 'testing/clock', isOfMerchant: true },
  {
    place: 'people',
    isOfMerchant: true,
    states: [
      {
        listUsers: [
          { role: 'VIEWER', isActive: true },
          { role: 'VIEWER', isActive: false },
        ],
        listInvitations: [{ status: 'PENDING' }],
      },
    ],
  },
  { place: 'people/audit-log', isOfMerchant: true },
  {
    place: 'people/account',
    isOfMerchant: true,
    states: [
      {},
      {
        getOwnSession: { user: { twoFactorEnabled: false } },
        listOwnSessions: [{ isCurrent: true }, { isCurrent: false }],
      },
    ],
  },
  { place: 'settings', isOfMerchant: true },
];

/** Without a separate control: a second step, the page of an invitation, a choice in the menu. */
const OPEN_TO_ALL = ['confirmTwoFactor', 'joinMerchant', 'switchMerchant'];

/** Controls in a dialog, and the control that opens it. */
const IN_DIALOGS = {
  allowUnsignedTexts: 'createForwarderHook',
  deleteForwarderHook: 'createForwarderHook',
  refuseUnsignedTexts: 'createForwarderHook',
};

/** Operations of a session that pages do not call: their lists contain the same, or a program calls them. */
const FOR_PROGRAMS = [
  'getApiKey',
  'getNumberProof',
  'getReceiverAccount',
  'getUser',
  'reparseSmsEvents',
  'watchTestRun',
];

const EXAMPLES = exampleAnswers();
const OPERATION = new Map(OPERATIONS.map((operation) => [operation.id, operation]));
const operationOf = (id: string): Operation => {
  const operation = OPERATION.get(id);
  if (!operation) throw new Error(`a page names ${id}, which is no operation`);
  return operation;
};

/** The environment that a control acts on is that of the page, unless there is nothing to act on in LIVE. */
function mayUse(id: string, role: Role, page: Page, environment: Environment): boolean {
  const { credential } = operationOf(id);
  const isSandbox = page.isSandbox || rolesIn(credential, 'LIVE').length === 0;
  return isPermitted(credential, role, isSandbox ? 'SANDBOX' : environment);
}

/** All pages are bundled and drawn: seconds on a loaded machine. */
jest.setTimeout(60_000);

describe('pages and the table of permissions', () => {
  let openPage: Awaited<ReturnType<typeof loadPages>>;
  beforeAll(async () => {
    openPage = await loadPages();
  });

  const seen = new Map<string, Promise<Seen>>();
  function seenBy(role: Role, page: Page, environment: Environment): Promise<Seen> {
    const key = `${role} ${environment} ${page.place}`;
    const result = seen.get(key) ?? use(role, page, environment);
    seen.set(key, result);
    return result;
  }

  async function use(role: Role, page: Page, environment: Environment): Promise<Seen> {
    const shown = new Set<string>();
    const called = new Set<string>();
    for (const state of page.states ?? [{}]) {
      let isDrawn = false;
      const opened = openPage({
        place: `/${environment.toLowerCase()}/${page.place}`,
        role,
        answer: (id) => {
          if (!isDrawn && !mayUse(id, role, page, environment)) throw new Error(`${role} must not be asked for ${id}`);
          if (operationOf(id).method !== 'get') called.add(id);
          return answerIn(environment, changed(EXAMPLES[id], state[id]));
        },
      });
      for (const [, id = ''] of (await opened.draw()).matchAll(/data-operation="(\w+)"/g)) shown.add(id);
      isDrawn = true;
      await usePage(opened);
    }
    return { shown, called };
  }

  it.each(PAGES.flatMap((page) => environmentsOf(page).map((environment) => [page.place, environment, page] as const)))(
    '%s in %s shows each role exactly the actions that it may use',
    async (_place, environment, page) => {
      const { shown: all } = await seenBy('OWNER', page, environment);

      for (const role of ROLES) {
        const { shown } = await seenBy(role, page, environment);
        const expected = [...all].filter((id) => mayUse(id, role, page, environment));
        expect({ role, shown: [...shown].sort() }).toEqual({ role, shown: expected.sort() });
      }
    },
  );

  it.each(PAGES.flatMap((page) => environmentsOf(page).map((environment) => [page.place, environment, page] as const)))(
    '%s in %s, with its dialogs, calls for each role exactly the operations that it may use',
    async (_place, environment, page) => {
      const { called: all } = await seenBy('OWNER', page, environment);

      for (const role of ROLES) {
        const { called } = await seenBy(role, page, environment);
        const expected = [...all].filter((id) => mayUse(id, role, page, environment));
        expect({ role, called: [...called].sort() }).toEqual({ role, called: expected.sort() });
      }
    },
  );

  it('every operation that pages call is called by a control, a form or a dialog of a page', async () => {
    const called = new Set<string>();
    for (const page of PAGES)
      for (const environment of environmentsOf(page))
        for (const id of (await seenBy('OWNER', page, environment)).called) called.add(id);

    const notCalled = calledByPages().filter((id) => !called.has(id));
    expect(notCalled.sort()).toEqual(OPEN_TO_ALL);
  });

  it('the action that calls an operation names it', async () => {
    const named = new Set<string>();
    for (const page of PAGES)
      for (const environment of environmentsOf(page))
        for (const id of (await seenBy('OWNER', page, environment)).shown) named.add(id);

    const unnamed = calledByPages().filter((id) => !named.has(id));
    expect(unnamed.sort()).toEqual([...OPEN_TO_ALL, ...Object.keys(IN_DIALOGS)].sort());
    for (const [inside, opener] of Object.entries(IN_DIALOGS)) {
      expect(named).toContain(opener);
      const roles = rolesIn(operationOf(inside).credential, 'LIVE');
      expect(rolesIn(operationOf(opener).credential, 'LIVE')).toEqual(expect.arrayContaining([...roles]));
    }
    for (const id of OPEN_TO_ALL)
      for (const role of ROLES) expect(isPermitted(operationOf(id).credential, role, 'LIVE')).toBe(true);
  });
});

describe('the dashboard and the API of its users', () => {
  it('has a use for every operation of a session', () => {
    const named = namedByPages();
    const ofSessions = OPERATIONS.filter(({ credential }) => credential.kind === 'session').map(({ id }) => id);

    expect(ofSessions.filter((id) => !named.has(id)).sort()).toEqual(FOR_PROGRAMS);
  });
});

/** The answer with other fields. A list gets one item for each of them; without any, another answer is null. */
function changed(answer: unknown, change: Fields | readonly Fields[] | undefined): unknown {
  if (change === undefined) return answer;
  if (!Array.isArray(change)) return merged(answer as Fields, change as Fields);
  const { data, ...page } = answer as { readonly data?: readonly Fields[] };
  if (data === undefined) return null;
  const items = (change as readonly Fields[]).map((fields, index) => ({
    ...data[0],
    ...fields,
    id: ID.replace(/1$/, String(index + 2)),
  }));
  return { ...page, data: items };
}

function merged(whole: Fields, change: Fields): Fields {
  const entries = Object.entries(change).map(([name, value]) => {
    const before = whole[name];
    const isPart =
      !Array.isArray(value) &&
      typeof value === 'object' &&
      value !== null &&
      typeof before === 'object' &&
      before !== null;
    return [name, isPart ? merged(before as Fields, value as Fields) : value];
  });
  return { ...whole, ...Object.fromEntries(entries) };
}

/** Operations of a session that change something and that pages call. */
function calledByPages(): string[] {
  return [...namedByPages()].filter(
    (id) => operationOf(id).method !== 'get' && operationOf(id).credential.kind === 'session',
  );
}

/** Operations whose names are in the source of the pages. */
function namedByPages(): ReadonlySet<string> {
  const source = join(__dirname, '..', 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!spec)\.tsx?$/.test(name),
  );
  const text = files.map((name) => readFileSync(join(source, name), 'utf8')).join('\n');
  return new Set([...text.matchAll(/'(\w+)'/g)].map(([, id = '']) => id).filter((id) => OPERATION.has(id)));
}
