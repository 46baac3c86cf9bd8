import type {
  ApiKeyResponse,
  DeviceResponse,
  EndpointResponse,
  ReceiverAccountResponse,
  TestRun,
} from '@pay/contracts';

/** The state of one environment. Undefined fields are not loaded, or not visible to the role of the user. */
export interface EnvironmentFacts {
  readonly receivers: readonly Pick<ReceiverAccountResponse, 'id' | 'isActive'>[] | undefined;
  readonly apiKeys: readonly Pick<ApiKeyResponse, 'state' | 'createdAt' | 'expiresAt' | 'lastUsedAt'>[] | undefined;
  readonly endpoints: readonly Pick<EndpointResponse, 'isActive' | 'isVerified'>[] | undefined;
  /** How many payments were paid. */
  readonly paid: number | undefined;
}

export interface LiveFacts extends EnvironmentFacts {
  readonly support: { readonly phone: string | null; readonly email: string | null } | undefined;
  readonly hasSecondFactor: boolean | undefined;
  readonly devices: readonly Pick<DeviceResponse, 'status' | 'sims'>[] | undefined;
  readonly testCases: readonly string[] | undefined;
  /** Newest first. */
  readonly testRuns: readonly Pick<TestRun, 'testCase' | 'result'>[] | undefined;
}

type Progress<Step extends string> = Readonly<Record<Step, boolean | undefined>>;
export type SandboxStep = 'receiver' | 'apiKey' | 'endpoint' | 'paid';
export type LiveStep = SandboxStep | 'support' | 'secondFactor' | 'testCases' | 'phone' | 'keyUsed';

/** Test runs get a key for a day; the key of a shop lives longer. */
const LONGEST_LIFE_OF_TEST_KEYS_MS = 24 * 60 * 60_000;

/** Which steps to a paid order in SANDBOX are done. */
export function sandboxProgress({ receivers, apiKeys, endpoints, paid }: EnvironmentFacts): Progress<SandboxStep> {
  return {
    receiver: receivers?.some(({ isActive }) => isActive),
    apiKey: apiKeys?.some(isOfShop),
    endpoint: endpoints?.some(({ isActive, isVerified }) => isActive && isVerified),
    paid: paid === undefined ? undefined : paid > 0,
  };
}

/** Which steps to the first payment with real money are done. */
export function liveProgress(facts: LiveFacts): Progress<LiveStep> {
  const { support, hasSecondFactor, apiKeys } = facts;
  return {
    ...sandboxProgress(facts),
    support: support && (support.phone !== null || support.email !== null),
    secondFactor: hasSecondFactor,
    testCases: allCasesPassed(facts),
    phone: allReceiversHavePhones(facts),
    keyUsed: apiKeys?.some((key) => isOfShop(key) && key.lastUsedAt !== null),
  };
}

function isOfShop({ state, createdAt, expiresAt }: Pick<ApiKeyResponse, 'state' | 'createdAt' | 'expiresAt'>): boolean {
  const life = expiresAt === null ? Infinity : Date.parse(expiresAt) - Date.parse(createdAt);
  return state === 'ACTIVE' && life > LONGEST_LIFE_OF_TEST_KEYS_MS;
}

/** The newest run of each case counts. A case that the configuration does not allow is skipped. */
function allCasesPassed({ testCases, testRuns }: LiveFacts): boolean | undefined {
  if (testCases === undefined || testRuns === undefined) return undefined;
  const newest = testCases.map((name) => testRuns.find(({ testCase }) => testCase === name)?.result);
  return newest.includes('PASSED') && newest.every((result) => result === 'PASSED' || result === 'SKIPPED');
}

/** A number whose phone is silent receives money that is not reported. */
function allReceiversHavePhones({ receivers, devices }: LiveFacts): boolean | undefined {
  if (receivers === undefined || devices === undefined) return undefined;
  const online = devices.filter(({ status }) => status === 'ONLINE');
  const covered = new Set(online.flatMap(({ sims }) => sims.flatMap(({ receiverAccountIds }) => receiverAccountIds)));
  const active = receivers.filter(({ isActive }) => isActive);
  return active.length > 0 && active.every(({ id }) => covered.has(id));
}
