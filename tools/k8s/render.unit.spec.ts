import { execFileSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { overlayFolder, OVERLAYS, render, type Manifest } from './render';

/** The version of kustomize in kubectl, or undefined without one that knows components. */
function kubectl(): string | undefined {
  try {
    const { kustomizeVersion } = JSON.parse(
      execFileSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8', stdio: 'pipe' }),
    );
    return Number(/^v5\.(\d+)/.exec(kustomizeVersion ?? '')?.[1] ?? 0) >= 5 ? kustomizeVersion : undefined;
  } catch {
    return undefined;
  }
}

function byName(manifests: readonly Manifest[]): Record<string, Manifest> {
  return Object.fromEntries(
    manifests.map((each) => [`${each.kind} ${each.metadata.namespace ?? ''}/${each.metadata.name}`, each]),
  );
}

describe('the renderer of tests', () => {
  it.each(OVERLAYS)('renders overlay %s without an object twice', (overlay) => {
    const manifests = render(overlayFolder(overlay));

    expect(Object.keys(byName(manifests))).toHaveLength(manifests.length);
    expect(manifests.length).toBeGreaterThan(50);
  });

  const compared = kubectl() === undefined ? [] : OVERLAYS;
  if (compared.length === 0) it('has no kubectl with kustomize 5.5 here to compare with', () => undefined);
  else {
    it.each(compared)('renders overlay %s as kubectl does', (overlay) => {
      const text = execFileSync('kubectl', ['kustomize', overlayFolder(overlay)], { encoding: 'utf8' });
      const theirs = parseAllDocuments(text).map((document) => document.toJS() as Manifest);

      expect(byName(render(overlayFolder(overlay)))).toEqual(byName(theirs));
    });
  }
});
