import { arraysOf } from './arrays-of';

describe('the arrays of rows', () => {
  it('are in the order of the named properties, each in the order of the rows', () => {
    const devices = [
      { id: 'a', isOff: true },
      { id: 'b', isOff: false },
    ];

    expect(arraysOf(devices, 'isOff', 'id')).toEqual([
      [true, false],
      ['a', 'b'],
    ]);
  });

  it('are empty without rows', () => {
    expect(arraysOf<{ id: string }>([], 'id')).toEqual([[]]);
  });
});
