import { simsOf, slotsOf } from './sims';

const sims = [
  { simSlot: 1, receiverAccountIds: ['bkash', 'nagad'] },
  { simSlot: null, receiverAccountIds: ['rented'] },
];

it('reads the slot of each number, and makes the same SIMs of it', () => {
  expect(slotsOf(sims)).toEqual({ bkash: '1', nagad: '1', rented: 'any' });
  expect(simsOf(slotsOf(sims))).toEqual(sims);
});

it('leaves out a number that is not on the phone, and a SIM without numbers', () => {
  expect(simsOf({ bkash: '', nagad: '2' })).toEqual([{ simSlot: 2, receiverAccountIds: ['nagad'] }]);
});
