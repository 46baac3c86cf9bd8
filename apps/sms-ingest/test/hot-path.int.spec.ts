import type { Statement, Transaction } from '@pay/persistence';
import { bkashSendMoneyText, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { arrive } from '../src/intake/arrive-sms';
import { storeSms } from '../src/intake/store-sms';
import { aPhone, startService, type ServiceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
failOnLeaks();

/** What is sent without an answer in between shares a round trip. */
function counting(tx: Transaction) {
  const sent: string[] = [];
  let trips = 0;
  let isAnswered = true;
  const send = (sql: Statement | string) => {
    if (isAnswered) trips += 1;
    isAnswered = false;
    sent.push(typeof sql === 'string' ? sql : sql.name);
  };
  const markAnswered = () => (isAnswered = true);
  const counted: Transaction = {
    query: (sql, values) => (send(sql), tx.query(sql, values).finally(markAnswered)) as never,
    execute: (sql, values) => (send(sql), tx.execute(sql, values).finally(markAnswered)),
    enqueue(sql, values, read) {
      send(sql);
      tx.enqueue(sql, values, read);
    },
    onCommit: (hook) => tx.onCommit(hook),
  };
  return { counted, sent, send, trips: () => trips };
}

async function stored(count: number) {
  const phone = await aPhone(service.db);
  const device = { ...phone, id: phone.deviceId, version: 1, deleted: false, name: '', keyHash: '', isDisabled: false };
  const origin = {
    device: { ...device, sims: [] },
    accounts: [],
    authenticity: 'device_key' as const,
    reviewsBalanceBreaks: false,
  };
  const deps = { senderIds: { BKASH: ['bKash'], NAGAD: ['NAGAD'] }, newId: uuidv7, now: () => new Date() };
  const sms = Array.from({ length: count }, () => {
    const text = { sender: 'bKash', message: bkashSendMoneyText({ amount: '5' }), receivedAt: '2026-11-21T09:00:00Z' };
    // On a wallet, so that its balance is followed.
    return { ...arrive(deps, origin, text), balanceChainId: uuidv7() };
  });
  return service.db.transaction(async (tx) => {
    const { counted, sent, send, trips } = counting(tx);
    const { messaging, secrets } = service;
    // The outbox writes with the transaction it is given.
    const store = { messaging, secrets, now: () => new Date() };
    await storeSms(store, counted, sms);
    send('COMMIT');
    return { sent, trips: trips() };
  });
}

describe('the number of database round trips to store SMS', () => {
  it.each([1, 100])('two round trips and three statements for %i SMS, sealing and keying included', async (count) => {
    expect(await stored(count)).toEqual({
      sent: ['enter-intake', 'store-sms-events', 'outbox-insert', 'COMMIT'],
      trips: 2,
    });
  });
});
