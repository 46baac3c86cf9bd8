import { dhakaDay, dhakaInput, dhakaInstant } from './dhaka-input';

describe('times of Dhaka in input fields', () => {
  it('shows an instant six hours ahead of UTC', () => {
    expect(dhakaInput(new Date('2026-11-23T20:05:30Z'))).toBe('2026-11-24T02:05');
    expect(dhakaDay(new Date('2026-11-23T20:05:30Z'))).toBe('2026-11-24');
  });

  it.each([
    ['2026-11-24T02:05', '2026-11-23T20:05:00.000Z'],
    ['2026-11-24T02:05:59', '2026-11-23T20:05:00.000Z'],
    ['', undefined],
    ['2026-13-24T02:05', undefined],
  ])('reads %p as %p', (input, instant) => {
    expect(dhakaInstant(input)).toBe(instant);
  });
});
