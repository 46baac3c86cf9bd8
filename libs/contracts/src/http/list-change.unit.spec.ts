import { listChange } from './list-change';

const colours = listChange('colours', ['red', 'blue']);

describe('listChange', () => {
  it('accepts an array of members and an object of members', () => {
    expect(colours.parse(['blue', 'red'])).toEqual(['red', 'blue']);
    expect(colours.parse({ red: true, blue: false })).toEqual({ red: true, blue: false });
  });

  it.each([
    ['{"green":true}', 'colours must contain only red, blue'],
    ['{"red":true,"__proto__":true}', 'colours must contain only red, blue'],
    ['{"red":1}', 'each value of colours must be true or false'],
    ['["green"]', 'colours must contain only red, blue'],
    ['"red"', 'colours must be an array or an object'],
  ])('refuses %s in one sentence that names the field', (change, sentence) => {
    expect(colours.safeParse(JSON.parse(change)).error?.issues.map(({ message }) => message)).toEqual([sentence]);
  });
});
