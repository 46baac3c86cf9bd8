import fc from 'fast-check';
import { brandColours, contrast } from './colours';

describe("a merchant's colour", () => {
  it('has the contrast of WCAG AA for text on it, and for text in its dark form', () => {
    const colour = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(colour, (merchants) => {
        const { brand, onBrand, accent } = brandColours(merchants);
        expect(brand).toBe(merchants);
        expect(contrast(brand, onBrand)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(accent, '#ffffff')).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  test.each([null, 'red', '#fff', '#12345g', '#000000;}*{display:none'])(
    'is replaced by the default if it is invalid: %s',
    (colour) => {
      expect(brandColours(colour)).toEqual(brandColours(null));
    },
  );
});
