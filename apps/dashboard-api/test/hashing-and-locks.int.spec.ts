import { failOnLeaks } from '@pay/testing';
import { hashPassword } from '../src/sign-in/passwords';
import {
  aDevice,
  aNumberProof,
  lockedRow,
  openShop,
  pairAsPhone,
  type Answered,
  type Shop,
} from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('codes that are hashed slowly', () => {
  let service: ServiceUnderTest;
  let shop: Shop;
  beforeAll(async () => {
    service = await startService();
    shop = await openShop(service);
  });
  afterAll(() => service.stop());

  /** Hashes of one owner that a later request of the same owner waits for. */
  const hashesBefore = (owner: string) => Array.from({ length: 16 }, () => hashPassword('something else', owner));
  const beginPairing = (deviceId: string) => shop.people.OWNER.post(`/v1/dashboard/devices/${deviceId}/pairing`);
  const confirm = (id: string, code: string) =>
    shop.people.OWNER.post(`/v1/dashboard/number-proofs/${id}/confirm`, { code });

  interface Case {
    readonly row: readonly [table: string, id: string];
    readonly owner: string;
    readonly send: () => Promise<Answered>;
  }
  const cases: readonly [string, number, () => Promise<Case>][] = [
    [
      'beginning a pairing',
      201,
      async () => {
        const id = await aDevice(shop);
        return { row: ['devices', id], owner: shop.people.OWNER.userId, send: () => beginPairing(id) };
      },
    ],
    [
      'pairing a device',
      200,
      async () => {
        const id = await aDevice(shop);
        const { body } = await beginPairing(id);
        return { row: ['devices', id], owner: id, send: () => pairAsPhone(service, body) };
      },
    ],
    [
      'confirming a number',
      200,
      async () => {
        const { id, code } = await aNumberProof(shop);
        return { row: ['number_proofs', id], owner: shop.people.OWNER.userId, send: () => confirm(id, code) };
      },
    ],
  ];

  // A request that hashes with a row locked holds its connection, and others that wait for the row hold theirs.
  it.each(cases)('%s locks no row while it waits for the hash', async (_name, status, prepare) => {
    const { row, owner, send } = await prepare();
    const [table, id] = row;
    const hashes = hashesBefore(owner);
    let done = false;
    // The request still waits for its hash then.
    void Promise.all(hashes.slice(0, -4)).then(() => (done = true));
    const stillWaits = () => !done;

    const answer = send();
    let [looks, locked] = [0, 0];
    while (stillWaits()) {
      const free = await service.db.query(`select id from ${table} where id = $1 for update skip locked`, [id]);
      if (stillWaits()) {
        looks += 1;
        if (free.length === 0) locked += 1;
      }
    }
    await Promise.all(hashes);

    await expect(answer).resolves.toMatchObject({ status });
    expect(looks).toBeGreaterThan(5);
    expect(locked).toBe(0);
  });

  it('a code of a number that is replaced while it is verified is refused and counted as wrong', async () => {
    const [old, newer] = [await aNumberProof(shop), await aNumberProof(shop)];
    const proof = await lockedRow(service, 'select from number_proofs where id = $1 for update', [old.id]);
    const answer = confirm(old.id, old.code);
    await proof.waiters(1);
    await proof.release([
      'update number_proofs set code_hash = (select code_hash from number_proofs where id = $2) where id = $1',
      [old.id, newer.id],
    ]);

    await expect(answer).resolves.toMatchObject({ status: 422, body: { code: 'CODE_WRONG' } });
    await expect(
      service.db.query('select wrong_tries, proven_at from number_proofs where id = $1', [old.id]),
    ).resolves.toEqual([{ wrong_tries: 1, proven_at: null }]);
    await expect(confirm(old.id, newer.code)).resolves.toMatchObject({ status: 200 });
  });

  it('of ten concurrent wrong codes for a number five are counted, and the right one is refused after them', async () => {
    const { id, code } = await aNumberProof(shop);

    await Promise.all(Array.from({ length: 10 }, () => confirm(id, 'AAAA2222')));

    await expect(
      service.db.query('select wrong_tries, closed_at is null as open from number_proofs where id = $1', [id]),
    ).resolves.toEqual([{ wrong_tries: 5, open: false }]);
    await expect(confirm(id, code)).resolves.toMatchObject({ status: 422, body: { code: 'CODE_WRONG' } });
  });
});
