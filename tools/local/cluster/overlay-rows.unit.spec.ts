import { overlayRow } from './overlay-rows';

const ACCEPTED = 'namespace/payment-gateway unchanged (server dry run)\nservice/edge configured (server dry run)\n';
const UNKNOWN_KIND =
  'error: resource mapping not found for name: "backups" namespace: "data" from "x": no matches for kind "ObjectStore" in version "a/v1"\nensure CRDs are installed first\n';

describe('overlayRow', () => {
  it('holds when the API server accepts every object', () => {
    expect(overlayRow('local', { stdout: ACCEPTED, stderr: '' })).toEqual({
      name: 'local',
      isGood: true,
      seen: '2 objects accepted',
    });
  });

  it('names kinds that the cluster does not know', () => {
    expect(overlayRow('production', { stdout: ACCEPTED, stderr: UNKNOWN_KIND })).toEqual({
      name: 'production',
      isGood: true,
      seen: '2 objects accepted; no definition in this cluster: ObjectStore',
    });
  });

  it.each([
    'Error from server (BadRequest): strict decoding error: unknown field "spec.replica"',
    'Warning: would violate PodSecurity "restricted:v1.35": runAsNonRoot != true',
  ])('does not hold with %s', (problem) => {
    const { isGood, seen } = overlayRow('staging', { stdout: ACCEPTED, stderr: `${problem}\n` });

    expect(isGood).toBe(false);
    expect(seen).toContain(problem);
  });

  it('does not hold when nothing was accepted', () => {
    expect(overlayRow('staging', { stdout: '', stderr: '' }).isGood).toBe(false);
  });
});
