import { Button, Group, NativeSelect, useMantineColorScheme } from '@mantine/core';
import { BanglaWord } from './bangla-word';
import { useWords } from '../text/language';
import { controlled, optionsOf } from './form';

/** Language and colour scheme; both are kept in this browser. */
export function Preferences() {
  const { t, language, setLanguage } = useWords();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const other = language === 'en' ? 'bn' : 'en';
  return (
    <Group gap="xs" wrap="nowrap" flex="none">
      <Button variant="subtle" size="sm" lang={other} aria-label={t.otherLanguage} onClick={() => setLanguage(other)}>
        {other === 'bn' ? <BanglaWord /> : t.otherLanguage}
      </Button>
      <NativeSelect
        size="sm"
        aria-label={t.nav.theme}
        {...controlled(colorScheme, setColorScheme)}
        data={optionsOf({ auto: t.nav.auto, light: t.nav.light, dark: t.nav.dark })}
      />
    </Group>
  );
}
