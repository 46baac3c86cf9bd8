import {
  TEST_CASE_KEYS,
  type TestCaseKey,
  type TestRun,
  type TestSuite,
  type TestResult,
  BusinessError,
} from '@pay/contracts';
import type { Place } from '@pay/persistence';
import { findRun, insertSuite, pageOfRuns, runsOfSuite, testRunOf } from './test-run-repository';
import { recordAction } from '../../changes/record-action';
import type { ServiceDeps } from '../../service-deps';

export interface RunSuitesDeps extends Pick<ServiceDeps, 'db' | 'now' | 'newId'> {
  readonly poke: () => void;
}

/** Maximum number of unfinished runs per merchant. */
export const MOST_OPEN_RUNS = 150;

export interface SuiteRequest {
  readonly merchantId: string;
  /** Format: `user:<id>` or `api_key:<id>`. */
  readonly startedBy: string;
  readonly successUrl: string | null;
  readonly cases: readonly TestCaseKey[];
}

export async function createSuite(deps: RunSuitesDeps, request: SuiteRequest): Promise<TestSuite> {
  const { db, now, newId, poke } = deps;
  const { merchantId, startedBy, successUrl, cases } = request;
  const id = newId();
  const runs = cases.map((testCase) => ({ id: newId(), testCase }));
  await db.transaction(async (tx) => {
    const suite = { id, merchantId, startedBy, successUrl, createdAt: now(), runs };
    if (!(await insertSuite(tx, suite, MOST_OPEN_RUNS)))
      throw new BusinessError('TEST_RUN_LIMIT_REACHED', undefined, 10);
    await recordAction({ ...deps, actor: startedBy }, tx, {
      action: 'test_suite.started',
      subjectId: id,
      merchantId,
      environment: 'SANDBOX',
      after: { cases },
    });
  });
  poke();
  return findSuite(deps, merchantId, id);
}

export async function findSuite({ db }: Pick<RunSuitesDeps, 'db'>, merchantId: string, id: string): Promise<TestSuite> {
  const rows = await runsOfSuite(db, merchantId, id);
  const [first] = rows;
  if (first === undefined) throw new BusinessError('NOT_FOUND');
  const runs = rows.map(testRunOf);
  const isEnded = runs.every(({ status }) => status === 'ENDED');
  return {
    id,
    environment: 'SANDBOX',
    createdAt: first.createdAt.toISOString(),
    runs,
    status: isEnded ? 'ENDED' : runs.every(({ status }) => status === 'QUEUED') ? 'QUEUED' : 'RUNNING',
    result: isEnded ? worstResult(runs) : null,
    endedAt: isEnded
      ? (runs
          .map(({ endedAt }) => endedAt ?? '')
          .toSorted()
          .at(-1) ?? null)
      : null,
  };
}

const WORST_FIRST: readonly TestResult[] = ['ERROR', 'FAILED', 'SKIPPED', 'PASSED'];

function worstResult(runs: readonly TestRun[]): TestResult {
  return WORST_FIRST.find((result) => runs.some((run) => run.result === result)) ?? 'ERROR';
}

export async function findTestRun({ db }: Pick<RunSuitesDeps, 'db'>, merchantId: string, id: string): Promise<TestRun> {
  const row = await findRun(db, merchantId, id);
  if (row === undefined) throw new BusinessError('NOT_FOUND');
  return testRunOf(row);
}

export async function listTestRuns({ db }: Pick<RunSuitesDeps, 'db'>, merchantId: string, place: Place) {
  const { data, ...page } = await pageOfRuns(db, place, merchantId);
  return { ...page, data: data.map(testRunOf) };
}

/** Default: all cases. */
export function casesOf(given: readonly TestCaseKey[] | null | undefined): readonly TestCaseKey[] {
  return given ?? TEST_CASE_KEYS;
}
