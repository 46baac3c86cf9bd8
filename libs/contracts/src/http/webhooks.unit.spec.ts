import { registerEndpointRequestSchema } from './webhooks';

const valid = { url: 'https://shop.example/hook', secret: 'a secret of 16+ chars' };

function sentencesFor(body: unknown): string[] {
  return registerEndpointRequestSchema.safeParse(body).error?.issues.map((issue) => issue.message) ?? [];
}

describe('registerEndpointRequestSchema', () => {
  it.each([undefined, null, []])('subscribes to the four events about payments when eventTypes is %p', (eventTypes) => {
    expect(registerEndpointRequestSchema.parse({ ...valid, eventTypes }).eventTypes).toEqual([
      'payment.paid',
      'payment.review_required',
      'payment.expired',
      'payment.rejected',
    ]);
  });

  it('removes duplicate event types', () => {
    const eventTypes = ['payment.paid', 'payment.expired', 'payment.paid'];
    expect(registerEndpointRequestSchema.parse({ ...valid, eventTypes }).eventTypes).toEqual([
      'payment.paid',
      'payment.expired',
    ]);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no url', { url: undefined }, /^url is required/],
    ['a relative url', { url: '/hook' }, /^url must (?:be an absolute|not contain)/],
    ['credentials in the url', { url: 'https://me:pw@shop.example' }, /^url must (?:be an absolute|not contain)/],
    ['a very long url', { url: `https://shop.example/${'x'.repeat(2_000)}` }, /^url must be at most 2000/],
    ['no secret', { secret: undefined }, /^secret is required/],
    ['a secret of 15', { secret: 's'.repeat(15) }, /^secret must be at least 16/],
    ['a secret of 257', { secret: 's'.repeat(257) }, /^secret must be at most 256/],
    ['a name as eventTypes', { eventTypes: 'payment.paid' }, /^eventTypes must be an array of payment.paid/],
    [
      'payment.failed, which only the event feed has',
      { eventTypes: ['payment.failed'] },
      /^eventTypes must be an array of/,
    ],
    ['an unknown event type', { eventTypes: ['payment.paid', 'intent.paid'] }, /^eventTypes must be an array of/],
  ])('refuses %s in one sentence that names the field', (_what, change, sentence) => {
    expect(sentencesFor({ ...valid, ...change })).toEqual([expect.stringMatching(sentence)]);
  });

  it('does not include the secret in error messages', () => {
    expect(sentencesFor({ ...valid, secret: 'hunter2' }).join(' ')).not.toContain('hunter2');
  });
});
