import type { TestCaseKey, TestEvidence, TestExpectation, TestRun, TestRunStatus, TestResult } from '@pay/contracts';
import {
  command,
  count,
  firstRow,
  inTransaction,
  mapped,
  oldRowsById,
  pageOfRows,
  rows,
  type OldRows,
  type Transaction,
} from '@pay/persistence';

const COLUMNS = `run.id, run.suite_id as "suiteId", run.merchant_id as "merchantId", run.test_case as "testCase", run.status, run.result,
  run.reason, run.steps, run.expectations, run.evidence, run.revision, run.plays, run.created_at as "createdAt",
  run.started_at as "startedAt", run.ended_at as "endedAt", suite.started_by as "startedBy", suite.success_url as "successUrl"`;
const FROM = 'from test_runs run join test_suites suite on suite.id = run.suite_id';

export interface TestRunRow {
  readonly id: string;
  readonly suiteId: string;
  readonly merchantId: string;
  readonly testCase: TestCaseKey;
  readonly status: TestRunStatus;
  readonly result: TestResult | null;
  readonly reason: string | null;
  readonly steps: TestRun['steps'];
  readonly expectations: readonly TestExpectation[];
  readonly evidence: TestEvidence;
  /** Incremented by every change of the row. */
  readonly revision: number;
  /** Number of times that a process has started the run. */
  readonly plays: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly startedBy: string;
  readonly successUrl: string | null;
}

export interface NewSuite {
  readonly id: string;
  readonly merchantId: string;
  readonly startedBy: string;
  readonly successUrl: string | null;
  readonly createdAt: Date;
  readonly runs: readonly { readonly id: string; readonly testCase: TestCaseKey }[];
}

const lockMerchantRuns = inTransaction.firstRow<object, [merchantId: string]>(
  'lock-test-runs-of-merchant',
  `select pg_advisory_xact_lock(hashtextextended($1, 20261124))`,
);
const countOpen = count<[merchantId: string]>(
  'count-open-test-runs',
  `select count(*)::integer as total from test_runs where merchant_id = $1 and status <> 'ENDED'`,
);
const insertSuiteRow = command(
  'insert-test-suite',
  'insert into test_suites (id, merchant_id, started_by, success_url, created_at) values ($1, $2, $3, $4, $5)',
  ({ id, merchantId, startedBy, successUrl, createdAt }: NewSuite) => [
    ...[id, merchantId, startedBy, successUrl, createdAt],
  ],
);
const insertRuns = command(
  'insert-test-runs',
  `insert into test_runs (id, suite_id, merchant_id, place, test_case, created_at)
   select id, $2, $3, place, "testCase", $4
   from jsonb_to_recordset($1::jsonb) as given (id uuid, place integer, "testCase" text)`,
  ({ id, merchantId, createdAt, runs }: NewSuite) => [
    ...[JSON.stringify(runs.map((run, place) => ({ ...run, place }))), id, merchantId, createdAt],
  ],
);

/** Returns false and stores nothing if the merchant would have more than `mostOpen` unfinished runs. */
export async function insertSuite(tx: Transaction, suite: NewSuite, mostOpen: number): Promise<boolean> {
  await lockMerchantRuns(tx, suite.merchantId);
  if ((await countOpen(tx, suite.merchantId)) + suite.runs.length > mostOpen) return false;
  await insertSuiteRow(tx, suite);
  await insertRuns(tx, suite);
  return true;
}

/** Leases waiting runs and runs whose process has died. */
export const leaseRuns = mapped(({ id }: { readonly id: string }) => id).rows(
  'lease-test-runs',
  // Alternates between merchants and limits each, so that slow runs of one merchant do not delay those of others.
  `with running as (
     select merchant_id, count(*) as runs from test_runs where status = 'RUNNING' and lease_until >= now() group by merchant_id
   ), due as (
     select id, created_at, coalesce(running.runs, 0) + row_number() over (partition by merchant_id order by created_at, place) as turn
     from test_runs left join running using (merchant_id)
     where status = 'QUEUED' or (status = 'RUNNING' and lease_until < now())
   ), picked as (
     select run.id from test_runs run join due on due.id = run.id
     where due.turn <= $4 and (run.status = 'QUEUED' or (run.status = 'RUNNING' and run.lease_until < now()))
     order by due.turn, due.created_at limit $2 for update of run skip locked
   )
   update test_runs run set status = 'RUNNING', lease_owner = $1, lease_until = now() + $3::int * interval '1 second',
     plays = run.plays + 1, revision = run.revision + 1, started_at = coalesce(run.started_at, now())
   from picked where run.id = picked.id returning run.id`,
  (wanted: {
    readonly owner: string;
    readonly most: number;
    readonly mostOfMerchant: number;
    readonly seconds: number;
  }) => [wanted.owner, wanted.most, wanted.seconds, wanted.mostOfMerchant],
);

export const renewLeases = command<[owner: string, ids: readonly string[], seconds: number]>(
  'renew-test-run-leases',
  `update test_runs set lease_until = now() + $3::int * interval '1 second' where id = any($2::uuid[]) and lease_owner = $1`,
);

export type Progress = Pick<TestRunRow, 'steps' | 'expectations' | 'evidence'>;
const jsonOf = ({ steps, expectations, evidence }: Progress) =>
  [steps, expectations, evidence].map((each) => JSON.stringify(each));

/** Returns 0 if another process has the lease. */
export const storeProgress = command(
  'store-test-run-progress',
  `update test_runs set steps = $3, expectations = $4, evidence = $5, revision = revision + 1 where id = $1 and lease_owner = $2`,
  (id: string, owner: string, progress: Progress) => [id, owner, ...jsonOf(progress)],
);

/** Returns 0 if another process has the lease. */
export const endRun = command(
  'end-test-run',
  `update test_runs set steps = $3, expectations = $4, evidence = $5, revision = revision + 1, status = 'ENDED', result = $6, reason = $7,
     ended_at = now(), lease_owner = null, lease_until = null
   where id = $1 and lease_owner = $2`,
  (id: string, owner: string, end: Progress & { readonly result: TestResult; readonly reason: string | null }) => [
    ...[id, owner, ...jsonOf(end), end.result, end.reason],
  ],
);

export const findLeasedRun = firstRow<TestRunRow, [id: string]>(
  'find-test-run',
  `select ${COLUMNS} ${FROM} where run.id = $1`,
);

export const findRun = firstRow<TestRunRow, [merchantId: string, id: string]>(
  'find-test-run-of-merchant',
  `select ${COLUMNS} ${FROM} where run.merchant_id = $1 and run.id = $2`,
);

/** In the requested order. Empty for the suite of another merchant. */
export const runsOfSuite = rows<TestRunRow, [merchantId: string, suiteId: string]>(
  'test-runs-of-suite',
  `select ${COLUMNS} ${FROM} where run.merchant_id = $1 and run.suite_id = $2 order by run.place`,
);

export const pageOfRuns = pageOfRows<TestRunRow, [merchantId: string]>('test-runs', {
  columns: COLUMNS,
  from: `${FROM} where run.merchant_id = $1`,
  order: 'run.id desc',
});

/** The runs of a suite are deleted with it. */
export function oldSuites(before: Date): OldRows {
  return oldRowsById('test_suites', before, { values: [before], deletable: 'old.created_at < $4' });
}

export function testRunOf(row: TestRunRow): TestRun {
  const { id, suiteId, testCase, status, result, reason, startedBy, steps, expectations, evidence } = row;
  return {
    id,
    suiteId,
    environment: 'SANDBOX',
    testCase,
    status,
    result,
    reason,
    startedBy,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    steps,
    expectations: [...expectations],
    evidence,
  };
}
