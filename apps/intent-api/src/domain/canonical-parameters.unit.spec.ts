import { hash } from 'node:crypto';
import { createIntentRequestSchema } from '@pay/contracts';
import { canonicalParameters } from './canonical-parameters';

const canonical = (body: Record<string, unknown>) =>
  canonicalParameters(createIntentRequestSchema.parse({ amount: 500, idempotencyKey: 'k', ...body }));

describe('canonical parameters', () => {
  it.each([
    ['an amount as text with zeros', { amount: '500.00' }],
    ['the default currency', { currency: 'BDT' }],
    ['the default time to live', { ttlSeconds: 300 }],
    ['null for what is not given', { merchantReference: null, metadata: null }],
    ['another idempotency key', { idempotencyKey: 'other' }],
    ['an unknown field', { colour: 'red' }],
  ])('do not depend on %s', (_case, body) => {
    expect(canonical(body)).toBe(canonical({}));
  });

  it('are the same for a method and its alias', () => {
    expect(canonical({ paymentMethod: 'bkash_send_money' })).toBe(canonical({ paymentMethod: 'BKASH_SEND_MONEY' }));
  });

  it('do not depend on the order of metadata', () => {
    expect(canonical({ metadata: { a: '1', b: '2' } })).toBe(canonical({ metadata: { b: '2', a: '1' } }));
  });

  it.each([
    ['amount', { amount: 500.01 }],
    ['method', { paymentMethod: 'BKASH_PAYMENT' }],
    ['language, which the checkout address shows', { language: 'en' }],
    ['reference', { customerReference: 'INV-1' }],
    ['metadata value', { metadata: { a: '1' } }],
    ['redirect', { successUrl: 'https://shop.example/' }],
  ])('differ for another %s', (_case, body) => {
    expect(canonical(body)).not.toBe(canonical({}));
  });

  it('distinguish metadata with the name of a parameter from the parameter', () => {
    expect(canonical({ metadata: { language: 'en' } })).not.toBe(canonical({ language: 'en' }));
  });

  // Stored hashes are compared with those of retries, also after an upgrade. A later field must stay undefined when it
  // is absent: its default is applied after the hash.
  it.each([
    [{}, '362440b2b46b9cc7'],
    [{ ttlSeconds: 600, currency: 'BDT', paymentMethod: 'NAGAD_PAYMENT', metadata: { cart: '7' } }, '5ac29c1798b62aac'],
  ])('have the same hash in every version: %j', (body, frozen) => {
    expect(hash('sha256', canonical(body)).slice(0, 16)).toBe(frozen);
  });
});
