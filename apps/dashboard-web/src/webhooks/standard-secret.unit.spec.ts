import { standardWebhooksSecret } from './standard-secret';

describe('standardWebhooksSecret', () => {
  it('is whsec_ and the base64 of the bytes of the secret', () => {
    expect(standardWebhooksSecret('a secret of 16+ chars')).toBe(
      `whsec_${Buffer.from('a secret of 16+ chars').toString('base64')}`,
    );
  });
});
