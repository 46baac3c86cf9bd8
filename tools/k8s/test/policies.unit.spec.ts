import { join } from 'node:path';
import { CLUSTER_POLICIES } from './cluster-policies';
import { find, POD_POLICIES, type Policy } from './pod-policies';
import { PRODUCTION_POLICIES } from './production-policies';
import { componentFolder, overlayFolder, OVERLAYS, readManifests, render, type Manifest, type Overlay } from './render';

const rendered = Object.fromEntries(OVERLAYS.map((overlay) => [overlay, render(overlayFolder(overlay))])) as Record<
  Overlay,
  Manifest[]
>;
const copyOf = (overlay: Overlay): Manifest[] => structuredClone(rendered[overlay]);

const everywhere = [...POD_POLICIES, ...CLUSTER_POLICIES];
const cases: [Overlay, Policy][] = [
  ...OVERLAYS.flatMap((overlay) => everywhere.map((policy): [Overlay, Policy] => [overlay, policy])),
  ...(['staging', 'production'] as const).flatMap((overlay) =>
    PRODUCTION_POLICIES.map((policy): [Overlay, Policy] => [overlay, policy]),
  ),
];

describe.each(cases.map(([overlay, policy]) => ({ overlay, states: policy.states, policy })))(
  'overlay $overlay',
  ({ overlay, policy }) => {
    it(`holds: ${policy.states}`, () => {
      expect(policy.violations(copyOf(overlay))).toEqual([]);
    });

    it(`is refused when changed so that it does not hold: ${policy.states}`, () => {
      const broken = copyOf(overlay);
      policy.breakIn(broken);

      expect(policy.violations(broken)).not.toEqual([]);
    });
  },
);

describe('a restore', () => {
  const restored = render(overlayFolder('production'), componentFolder('restore'));
  const [job] = readManifests(join(__dirname, '../../../deploy/k8s/jobs/operator.yaml')) as any[];

  it.each([...everywhere, ...PRODUCTION_POLICIES])('holds: $states', ({ violations }) => {
    const { image } = find(restored, 'Deployment', 'reconciler').spec.template.spec.containers[0];
    const withImage = structuredClone(job);
    withImage.spec.template.spec.containers[0].image = image;

    expect(violations([...structuredClone(restored), withImage])).toEqual([]);
  });

  it('reads the archive of the lost cluster and writes to one with another name', () => {
    const { bootstrap, externalClusters, plugins } = find(restored, 'Cluster', 'postgres').spec;
    const { bootstrap: first } = find(rendered.production, 'Cluster', 'postgres').spec;
    const [lost] = externalClusters;

    expect(Object.keys(bootstrap)).toEqual(['recovery']);
    expect(bootstrap.recovery).toMatchObject({ database: first.initdb.database, owner: first.initdb.owner });
    expect(lost.name).toBe(bootstrap.recovery.source);
    expect(lost.plugin.parameters.serverName).toBe('postgres');
    expect(plugins[0].parameters.serverName).not.toBe(lost.plugin.parameters.serverName);
  });

  it('runs programs of operators with labels that the policies of RabbitMQ admit', () => {
    const { podSelector } = find(restored, 'NetworkPolicy', 'to-rabbitmq').spec;
    const [{ from }] = find(restored, 'NetworkPolicy', 'rabbitmq-from-services').spec.ingress;

    expect(job.spec.template.metadata.labels).toMatchObject(podSelector.matchLabels);
    expect(job.spec.template.metadata.labels).toMatchObject(from[0].podSelector.matchLabels);
    expect(job.metadata.namespace).toBe('payment-gateway');
  });
});
