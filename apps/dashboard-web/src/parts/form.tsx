import { useRef, type ComponentPropsWithoutRef, type SubmitEvent } from 'react';

interface FormProps extends Omit<ComponentPropsWithoutRef<'form'>, 'onSubmit'> {
  /** Starts the request, if the fields permit one. The page shows its failure. */
  readonly onSubmit: () => Promise<unknown> | undefined;
}

/** A form that is not submitted again while its request is running. */
export function Form({ onSubmit, ...props }: FormProps) {
  // A second submit in the same moment comes before its button is drawn as disabled.
  const isRunning = useRef(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isRunning.current) return;
    const request = onSubmit();
    if (request === undefined) return;
    isRunning.current = true;
    const end = () => {
      isRunning.current = false;
    };
    request.then(end, end);
  };
  return <form {...props} onSubmit={submit} noValidate />;
}
