/**
 * Links one object file of clang's BPF target into a program for Solana's virtual machine.
 *
 * Clang emits the machine's instructions, but its linkers do not support the machine (`e_machine` 247). Little is left
 * to do: put code and constants at fixed addresses, write those addresses into the code, and leave the virtual
 * machine's own functions as names for the loader to resolve. The result is a shared object that the chain's loaders
 * accept (sBPF version 0).
 */

/** Where the loader puts the file's first byte (solana-sbpf, `MM_RODATA_START`). */
const LOADED_AT = 0x1_0000_0000n;
const EM_BPF = 247;
/** Relocations of BPF objects (the kernel's `llvm_reloc`): a 64-bit address in two instructions, and a call. */
const R_BPF_64_64 = 1;
const R_BPF_64_32 = 10;
const SHT = {progbits: 1, symtab: 2, strtab: 3, dynamic: 6, rel: 9, dynsym: 11} as const;
const FLAG = {write: 1, alloc: 2, exec: 4} as const;
const HEADER = 64;
const PROGRAM_HEADER = 56;
const SECTION_HEADER = 64;
const SYMBOL = 24;

interface Section {
  readonly index: number;
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly at: number;
  readonly size: number;
  readonly link: number;
  readonly info: number;
  readonly align: number;
}

interface Symbol {
  readonly name: string;
  /** The section it is in; 0 for one that is not in this object. */
  readonly section: number;
  readonly value: number;
}

/** A section of the result. */
interface Piece {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly align: number;
  readonly bytes: Buffer;
  readonly link?: string;
  readonly info?: number;
  readonly entrySize?: number;
}

/** Links an object with one function, `entrypoint`, into a program. The remark is in the file, but is not loaded. */
export function link(object: Buffer, remark: string): Buffer {
  const {sections, symbols} = read(object);
  const text = sections.find(({name}) => name === '.text');
  const entry = symbols.find(({name}) => name === 'entrypoint');
  if (!text || !entry) throw new Error('there is no entrypoint');
  const loaded = sections.filter(({flags, size}) => flags & FLAG.alloc && size > 0);
  const stray = loaded.find(({flags, name}) => flags & FLAG.write || !/^\.(text|rodata)/.test(name));
  if (stray) throw new Error(`${stray.name}: a program of this machine can only have code and constants`);
  const constants = loaded.filter(({name}) => name.startsWith('.rodata'));

  const textAt = align(HEADER + 3 * PROGRAM_HEADER, 8);
  const rodataAt = align(textAt + text.size, 8);
  const placed = new Map<number, number>();
  let end = rodataAt;
  for (const {index, align: by, size} of constants) {
    placed.set(index, (end = align(end, by)));
    end += size;
  }
  const code = Buffer.from(object.subarray(text.at, text.at + text.size));
  const rodata = Buffer.alloc(end - rodataAt);
  for (const {index, at, size} of constants) object.copy(rodata, (placed.get(index) ?? 0) - rodataAt, at, at + size);

  const names = ['entrypoint'];
  const calls: {at: number; name: number}[] = [];
  for (const {at, type, symbol} of relocations(object, sections, text)) {
    const target = symbols[symbol];
    if (!target) throw new Error(`relocation to symbol ${symbol}, which is not there`);
    const base = placed.get(target.section);
    if (type === R_BPF_64_64 && base !== undefined) {
      const address = LOADED_AT + BigInt(base + target.value + code.readInt32LE(at + 4));
      code.writeUInt32LE(Number(address & 0xffff_ffffn), at + 4);
      code.writeUInt32LE(Number(address >> 32n), at + 12);
    } else if (type === R_BPF_64_32 && target.section === 0) {
      // The names of the machine's functions begin like this; the loader would not find any other that clang may call.
      if (!target.name.startsWith('sol_')) throw new Error(`${target.name} is not a function of the virtual machine`);
      if (!names.includes(target.name)) names.push(target.name);
      // A call for the loader to resolve: the offset is -1, and the source register 0, as it is not a relative one.
      code.writeUInt8(code.readUInt8(at + 1) & 0x0f, at + 1);
      code.writeInt32LE(-1, at + 4);
      calls.push({at: textAt + at, name: names.indexOf(target.name) + 1});
    } else {
      throw new Error(`relocation of type ${type} to ${target.name}`);
    }
  }
  return assemble({code, rodata, textAt, rodataAt, entryAt: textAt + entry.value, names, calls, remark});
}

function read(object: Buffer): {sections: Section[]; symbols: Symbol[]} {
  const big = (at: number) => Number(object.readBigUInt64LE(at));
  const text = (table: Section, at: number) => {
    const start = table.at + at;
    return object.toString('latin1', start, object.indexOf(0, start));
  };
  if (object.readUInt32BE(0) !== 0x7f454c46 || object.readUInt16LE(18) !== EM_BPF) throw new Error('not a BPF object');
  const nameless = Array.from({length: object.readUInt16LE(0x3c)}, (_, index) => {
    const at = big(0x28) + index * SECTION_HEADER;
    const section: Section = {
      index,
      name: '',
      type: object.readUInt32LE(at + 4),
      flags: big(at + 8),
      at: big(at + 24),
      size: big(at + 32),
      link: object.readUInt32LE(at + 40),
      info: object.readUInt32LE(at + 44),
      align: big(at + 48),
    };
    return {section, nameAt: object.readUInt32LE(at)};
  });
  const table = nameless[object.readUInt16LE(0x3e)]?.section;
  if (!table) throw new Error('the sections have no names');
  const sections = nameless.map(({section, nameAt}) => ({...section, name: text(table, nameAt)}));

  const symtab = sections.find(({type}) => type === SHT.symtab);
  const strings = symtab && sections[symtab.link];
  if (!strings) throw new Error('there are no symbols');
  const symbols = Array.from({length: symtab.size / SYMBOL}, (_, index) => {
    const at = symtab.at + index * SYMBOL;
    return {name: text(strings, object.readUInt32LE(at)), section: object.readUInt16LE(at + 6), value: big(at + 8)};
  });
  return {sections, symbols};
}

function relocations(object: Buffer, sections: readonly Section[], text: Section) {
  return sections
    .filter(({type, info}) => type === SHT.rel && info === text.index)
    .flatMap(({at, size}) =>
      Array.from({length: size / 16}, (_, index) => {
        const entry = at + index * 16;
        return {
          at: Number(object.readBigUInt64LE(entry)),
          type: object.readUInt32LE(entry + 8),
          symbol: object.readUInt32LE(entry + 12),
        };
      }),
    );
}

interface Parts {
  readonly code: Buffer;
  readonly rodata: Buffer;
  readonly textAt: number;
  readonly rodataAt: number;
  readonly entryAt: number;
  /** The names of the symbols: the entry point, then the machine's functions. */
  readonly names: readonly string[];
  /** The calls to functions of the machine: each call's offset, and the number of its symbol. */
  readonly calls: readonly {at: number; name: number}[];
  readonly remark: string;
}

/** Writes the file. The address of a loaded part equals its offset in the file. */
function assemble({code, rodata, textAt, rodataAt, entryAt, names, calls, remark}: Parts): Buffer {
  const nameTable = stringTable(names);
  const dynsym = Buffer.alloc(SYMBOL * (names.length + 1));
  names.forEach((name, index) => {
    const at = SYMBOL * (index + 1);
    const ours = index === 0;
    dynsym.writeUInt32LE(nameTable.at(name), at);
    // Global, and a function if it is ours.
    dynsym.writeUInt8(ours ? 0x12 : 0x10, at + 4);
    dynsym.writeUInt16LE(ours ? 1 : 0, at + 6);
    if (!ours) return;
    dynsym.writeBigUInt64LE(BigInt(entryAt), at + 8);
    dynsym.writeBigUInt64LE(BigInt(code.length), at + 16);
  });
  const relocations = Buffer.concat(calls.map(({at, name}) => words(at, name * 2 ** 32 + R_BPF_64_32)));

  const dynamicAt = align(rodataAt + rodata.length, 8);
  const dynsymAt = dynamicAt + 16 * 10;
  const dynstrAt = dynsymAt + dynsym.length;
  const relAt = align(dynstrAt + nameTable.bytes.length, 8);
  const dynamic = words(
    // The calls are relocations in the code: their address, their size, and the size of one.
    ...[0x1e, 4, 0x16, 0, 0x11, relAt, 0x12, relocations.length, 0x13, 16],
    // The symbols, the size of one, and their names.
    ...[0x6, dynsymAt, 0xb, SYMBOL, 0x5, dynstrAt, 0xa, nameTable.bytes.length, 0, 0],
  );

  const pieces: Piece[] = [
    {name: '.text', type: SHT.progbits, flags: FLAG.alloc | FLAG.exec, align: 8, bytes: code},
    {name: '.rodata', type: SHT.progbits, flags: FLAG.alloc, align: 8, bytes: rodata},
    {
      name: '.dynamic',
      type: SHT.dynamic,
      flags: FLAG.alloc | FLAG.write,
      align: 8,
      bytes: dynamic,
      link: '.dynstr',
      entrySize: 16,
    },
    {
      name: '.dynsym',
      type: SHT.dynsym,
      flags: FLAG.alloc,
      align: 8,
      bytes: dynsym,
      link: '.dynstr',
      info: 1,
      entrySize: SYMBOL,
    },
    {name: '.dynstr', type: SHT.strtab, flags: FLAG.alloc, align: 1, bytes: nameTable.bytes},
    {name: '.rel.dyn', type: SHT.rel, flags: FLAG.alloc, align: 8, bytes: relocations, link: '.dynsym', entrySize: 16},
    {name: '.comment', type: SHT.progbits, flags: 0, align: 1, bytes: Buffer.from(`${remark}\0`)},
  ];
  const sectionNames = stringTable([...pieces.map(({name}) => name), '.shstrtab']);
  pieces.push({name: '.shstrtab', type: SHT.strtab, flags: 0, align: 1, bytes: sectionNames.bytes});

  const at: number[] = [];
  let end = textAt;
  for (const {align: by, bytes} of pieces) {
    at.push((end = align(end, by)));
    end += bytes.length;
  }
  const place = (name: string) => at[pieces.findIndex(piece => piece.name === name)] ?? 0;
  const sectionsAt = align(end, 8);
  const file = Buffer.alloc(sectionsAt + SECTION_HEADER * (pieces.length + 1));
  pieces.forEach(({bytes}, index) => bytes.copy(file, at[index]));

  // 64 bits, little-endian, a shared object for this machine.
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  [3, EM_BPF].forEach((half, index) => file.writeUInt16LE(half, 16 + 2 * index));
  file.writeUInt32LE(1, 20);
  words(entryAt, HEADER, sectionsAt).copy(file, 24);
  [HEADER, PROGRAM_HEADER, 3, SECTION_HEADER, pieces.length + 1, pieces.length].forEach((half, index) =>
    file.writeUInt16LE(half, 52 + 2 * index),
  );
  // Program headers: executable code; read-only data; and the dynamic section.
  const loads = [
    {type: 1, flags: 5, from: textAt, size: code.length, by: 0x1000},
    {type: 1, flags: 4, from: rodataAt, size: relAt + relocations.length - rodataAt, by: 0x1000},
    {type: 2, flags: 6, from: place('.dynamic'), size: dynamic.length, by: 8},
  ];
  loads.forEach(({type, flags, from, size, by}, index) => {
    const to = HEADER + index * PROGRAM_HEADER;
    file.writeUInt32LE(type, to);
    file.writeUInt32LE(flags, to + 4);
    words(from, from, from, size, size, by).copy(file, to + 8);
  });
  pieces.forEach(({name, type, flags, align: by, bytes, link: linked, info = 0, entrySize = 0}, index) => {
    const to = sectionsAt + (index + 1) * SECTION_HEADER;
    const from = at[index] ?? 0;
    file.writeUInt32LE(sectionNames.at(name), to);
    file.writeUInt32LE(type, to + 4);
    words(flags, flags & FLAG.alloc ? from : 0, from, bytes.length).copy(file, to + 8);
    file.writeUInt32LE(linked ? pieces.findIndex(piece => piece.name === linked) + 1 : 0, to + 40);
    file.writeUInt32LE(info, to + 44);
    words(by, entrySize).copy(file, to + 48);
  });
  return file;
}

/** The names one after the other, each terminated by a zero, the first one empty. */
function stringTable(names: readonly string[]): {bytes: Buffer; at(name: string): number} {
  const text = `\0${names.map(name => `${name}\0`).join('')}`;
  return {bytes: Buffer.from(text, 'latin1'), at: name => text.indexOf(`\0${name}\0`) + 1};
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, index) => bytes.writeBigUInt64LE(BigInt(value), 8 * index));
  return bytes;
}

function align(value: number, by: number): number {
  return Math.ceil(value / (by || 1)) * (by || 1);
}
