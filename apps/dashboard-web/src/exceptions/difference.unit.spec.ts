import { difference } from './difference';

it.each([
  ['500', '450', { amount: '50', isMore: false }],
  ['500.5', '500.51', { amount: '0.01', isMore: true }],
  ['0.3', '0.30', undefined],
  ['900719925474099', '900719925474099.01', { amount: '0.01', isMore: true }],
])('of %s expected and %s received is exact', (expected, received, result) => {
  expect(difference(expected, received)).toEqual(result);
});
