import { openDatabase, type Database } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { aRandomTrxId, eventually, failOnLeaks } from '@pay/testing';
import { holdIntake } from '../src/claims/hold-intake';
import { listUndecided } from '../src/claims/list-undecided';
import { openWaitingClaims } from '../src/claims/waiting-claims';
import { migrations } from '../src/db/migrations';
import { checkoutCustomer } from './checkout-customer';
import { anIntent, given, MERCHANT, startService, type ServiceUnderTest } from './service-under-test';

const log = createLogger({ service: 'checkout-api', level: 'silent' });

let service: ServiceUnderTest;
/** Connections of another replica. */
let other: Database;
const customer = checkoutCustomer(() => service);
beforeAll(async () => {
  service = await startService();
  const access = { url: service.databaseUrl, applicationName: 'other-replica', log, migrations };
  other = await openDatabase({ ...access, poolSize: 2 });
});
afterAll(async () => {
  await other.close();
  await service.stop();
});
failOnLeaks();

const isListed = async () => (await listUndecided({ db: other })) !== undefined;

/** Work that ends when the test says so. */
function work() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end: () => end() };
}

describe('a claim in the memory of a process', () => {
  it('delays expiry in every replica from a second after its submission until it is stored', async () => {
    let now = 0;
    const waiting = openWaitingClaims(() => now);
    const [first, second] = [work(), work()];
    const storing = [waiting.untilStored(first.run)];
    const stop = new AbortController();
    const running = holdIntake({ db: other, waiting, log }).run(stop.signal);
    now = 999;
    storing.push(waiting.untilStored(second.run));
    expect(await isListed()).toBe(true);

    now = 1_000;
    await eventually(async () => !(await isListed()), 'the first claim delays expiry');
    now = 2_000;
    first.end();
    await storing[0];
    expect(await isListed()).toBe(false);

    second.end();
    await eventually(isListed, 'nothing delays expiry');
    stop.abort();
    await Promise.all([running, ...storing]);
  });

  it('delays expiry although all connections of its process are occupied', async () => {
    const intent = await given(service, anIntent());
    const occupied = work();
    let begun = 0;
    const occupying = Array.from({ length: 8 }, () =>
      service.db.transaction(async (tx) => {
        await tx.query('select 1');
        begun += 1;
        await occupied.run();
      }),
    );
    await eventually(() => begun === 8, 'all connections are occupied');

    const confirming = customer.confirm(intent.id, aRandomTrxId());
    await eventually(async () => !(await isListed()), 'the claim delays expiry');

    occupied.end();
    await Promise.all(occupying);
    expect(await confirming).toMatchObject({ status: 200 });
    await eventually(isListed, 'the claim is stored');
    expect((await listUndecided({ db: other }))?.undecided).toMatchObject([{ merchantId: MERCHANT }]);
  });
});
