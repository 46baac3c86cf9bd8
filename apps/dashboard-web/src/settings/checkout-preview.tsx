import { Text } from '@mantine/core';
import { useWords } from '../text/language';
import { readableOn } from './readable-on';
import { useSettingsWords } from './words';

interface PreviewProps {
  readonly name: string;
  readonly colour: string;
  readonly logo: string | null;
}

/** How the head and the button of the payment page look with these settings. */
export function CheckoutPreview({ name, colour, logo }: PreviewProps) {
  const w = useSettingsWords();
  const { money } = useWords();
  const brand = { backgroundColor: colour, color: readableOn(colour) };
  return (
    <figure className="checkout-preview" data-testid="preview">
      <figcaption>
        <Text size="sm" fw={600}>
          {w.preview}
        </Text>
      </figcaption>
      <div className="checkout-preview-page">
        <div className="checkout-preview-head" style={brand}>
          {logo === null ? null : <img src={logo} alt="" height={32} />}
          <span>{name}</span>
        </div>
        <div className="checkout-preview-body">
          <div>{w.previewAmount}</div>
          <strong>{money('1250.5')}</strong>
          <span className="checkout-preview-button" style={brand}>
            {w.previewPay}
          </span>
        </div>
      </div>
    </figure>
  );
}
