import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { componentFolder, overlayFolder, OVERLAYS, render, type Manifest } from './render';

/** Undefined without kubectl, or if its kustomize does not support components. */
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

function kubectlRenders(folder: string): Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
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
      expect(byName(render(overlayFolder(overlay)))).toEqual(byName(kubectlRenders(overlayFolder(overlay))));
    });

    it('adds the component of a restore to an overlay as kubectl does', () => {
      const folder = mkdtempSync(join(realpathSync(tmpdir()), 'restore-'));
      const [overlay, component] = [overlayFolder('production'), componentFolder('restore')];
      const kustomization = { resources: [relative(folder, overlay)], components: [relative(folder, component)] };
      writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
      try {
        expect(byName(render(overlay, component))).toEqual(byName(kubectlRenders(folder)));
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});
