import { difference } from './difference';

it.each([
  ['500', '450', { amount: '50.00', isMore: false }],
  ['500.5', '500.51', { amount: '0.01', isMore: true }],
  ['0.3', '0.30', undefined],
  ['90071992547409931', '90071992547409931.01', { amount: '0.01', isMore: true }],
])('of %s expected and %s received is exact', (expected, received, result) => {
  expect(difference(expected, received)).toEqual(result);
});
