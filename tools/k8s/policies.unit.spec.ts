import { CLUSTER_POLICIES } from './cluster-policies';
import { POD_POLICIES, type Policy } from './pod-policies';
import { PRODUCTION_POLICIES } from './production-policies';
import { overlayFolder, OVERLAYS, render, type Manifest, type Overlay } from './render';

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
