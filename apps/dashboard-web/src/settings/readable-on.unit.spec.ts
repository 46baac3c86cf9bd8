import { readableOn } from './readable-on';

describe('readableOn', () => {
  it.each([
    ['#ffffff', '#000000'],
    ['#ffd43b', '#000000'],
    ['#145a32', '#ffffff'],
    ['#000000', '#ffffff'],
  ])('writes on %s in %s', (colour, text) => {
    expect(readableOn(colour)).toBe(text);
  });
});
