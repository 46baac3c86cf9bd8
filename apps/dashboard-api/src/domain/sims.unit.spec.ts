import { receiversOf, withReceivers } from './sims';

describe('withReceivers', () => {
  it('adds a slot that the device has no receivers for yet', () => {
    expect(withReceivers([{ simSlot: 1, receiverAccountIds: ['a'] }], 2, ['b'])).toEqual([
      { simSlot: 1, receiverAccountIds: ['a'] },
      { simSlot: 2, receiverAccountIds: ['b'] },
    ]);
  });

  it('adds missing fields to a slot after the existing ones', () => {
    expect(withReceivers([{ simSlot: null, receiverAccountIds: ['a', 'b'] }], null, ['b', 'c'])).toEqual([
      { simSlot: null, receiverAccountIds: ['a', 'b', 'c'] },
    ]);
  });

  it('changes nothing when all are there', () => {
    const sims = [{ simSlot: null, receiverAccountIds: ['a'] }];

    expect(withReceivers(sims, null, ['a'])).toEqual(sims);
    expect(withReceivers(sims, 1, [])).toEqual(sims);
  });
});

it('receiversOf names each receiver once, whatever slots it is on', () => {
  expect(
    receiversOf([
      { simSlot: 1, receiverAccountIds: ['a', 'b'] },
      { simSlot: null, receiverAccountIds: ['b'] },
    ]),
  ).toEqual(['a', 'b']);
});
