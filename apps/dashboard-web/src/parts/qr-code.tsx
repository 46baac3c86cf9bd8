/** Large enough for the camera of a phone. */
export function QrCode({ svg, name }: { readonly svg: string; readonly name: string }) {
  return <img src={`data:image/svg+xml;base64,${btoa(svg)}`} alt={name} width={220} height={220} className="qr" />;
}
