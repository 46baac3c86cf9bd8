import { readLogo } from './read-logo';

describe('readLogo', () => {
  it('is a data URL of the image', async () => {
    expect(await readLogo(new Blob([Buffer.from('an image')], { type: 'image/png' }))).toBe(
      `data:image/png;base64,${Buffer.from('an image').toString('base64')}`,
    );
  });

  it('is undefined for an image whose data URL is longer than the API accepts', async () => {
    expect(await readLogo(new Blob([new Uint8Array(12_200)], { type: 'image/png' }))).toMatch(/^data:/);
    expect(await readLogo(new Blob([new Uint8Array(12_300)], { type: 'image/png' }))).toBeUndefined();
  });
});
