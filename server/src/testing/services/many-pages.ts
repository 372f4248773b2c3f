/**
 * A TIFF with this many empty pages, one after the other. Pages share no bytes.
 * @param entries the number of entries that each page declares
 */
export function manyPages(pages: number, form: 'little' | 'big' | 'long', entries = 0): Buffer {
  const isLong = form === 'long';
  const [header, count, place] = isLong ? [16, 8, 8] : [8, 2, 4];
  const page = count + place + entries * (isLong ? 20 : 12);
  const content = Buffer.alloc(header + pages * page);
  const write = (value: number, at: number, length: number): void => {
    if (form === 'big') content.writeUIntBE(value, at, length);
    else if (length === 8) content.writeBigUInt64LE(BigInt(value), at);
    else content.writeUIntLE(value, at, length);
  };
  content.write(form === 'big' ? 'MM' : 'II', 'latin1');
  write(isLong ? 43 : 42, 2, 2);
  if (isLong) write(8, 4, 2);
  write(header, place, place);
  for (let number = 0; number < pages; number++) {
    const at = header + number * page;
    write(entries, at, count);
    write(number === pages - 1 ? 0 : at + page, at + page - place, place);
  }
  return content;
}
