import { SectionTabs } from '../parts/section-tabs';
import { placeOf } from '../parts/places';
import { useTestingWords } from './words';

export function TestingTabs() {
  const { tabs } = useTestingWords();
  const tab = (...segments: string[]) => placeOf('SANDBOX', 'testing', ...segments);
  return (
    <SectionTabs
      label={tabs.label}
      tabs={[
        { href: tab(), text: tabs.simulator },
        { href: tab('cases'), text: tabs.cases },
        { href: tab('endpoint'), text: tabs.endpoint },
        { href: tab('clock'), text: tabs.clock },
      ]}
    />
  );
}
