import { Group, Modal } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { focusContent } from './focus-content';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Name of the close button; without one the dialog can only be left by its own buttons. */
  readonly closeLabel?: string;
  readonly children: ReactNode;
}

/** Gives the focus back to the control that opened a dialog, or to the page if that control is gone. */
function useFocusOfOpener(): void {
  // Read while the dialog is drawn for the first time: its fields take the focus afterwards.
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) opener.focus();
      else focusContent();
    },
    [opener],
  );
}

/**
 * A click beside a dialog does not close it, so that fields and secrets are kept. Its title is no `header` element,
 * which would be a second banner of the page.
 */
export function Dialog({ title, onClose, closeLabel, children }: DialogProps) {
  useFocusOfOpener();
  return (
    <Modal.Root opened onClose={onClose} centered closeOnClickOutside={false} closeOnEscape={closeLabel !== undefined}>
      <Modal.Overlay />
      <Modal.Content>
        <Group justify="space-between" wrap="nowrap" px="md" pt="md">
          <Modal.Title fw={600}>{title}</Modal.Title>
          {closeLabel === undefined ? null : <Modal.CloseButton aria-label={closeLabel} />}
        </Group>
        <Modal.Body pt="sm">{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
