import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ggufFile } from '../web/support/gguf-file.ts';
import { nextFrames } from './support/page.ts';
import { PanelVisit, inGroups, llama32, textOf } from './support/panel.ts';

// What is given to “Check my model”.

const visit = new PanelVisit();
const { clear, dropFile, fact, need, paste, refusal, verdict } = visit;

describe('what is given', () => {
  beforeAll(() => visit.open());
  afterAll(visit.close);
  beforeEach(clear);

  test('stays in the browser: no request is made with it or about it', async () => {
    const { page, requests } = visit.opened;
    await visit.panel.locator('button.example').click();
    const before = requests.length;
    await paste({ ...llama32, secret: 'nobody-else-reads-this' });
    await dropFile('config.json', JSON.stringify(llama32));
    await expect.poll(() => visit.panel.locator('textarea').inputValue()).toContain('llama3');
    await dropFile('private.gguf', ggufFile({ keys: { 'general.architecture': { string: 'llama' } } }));
    await expect.poll(() => visit.panel.locator('.tag').first().innerText()).toBe('GGUF');
    await need(65536);
    await visit.panel.locator('[data-target="vllm"]').click();
    await nextFrames(page);
    expect(requests.slice(before)).toEqual([]);
    expect(page.url()).not.toMatch(/nobody|private/);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(
      /nobody|private/,
    );
  });

  test('is shown as text, whatever it holds', async () => {
    const { page } = visit.opened;
    const evil = '<img src=x onerror="window.struck = true"><b>';
    await paste({
      model_type: evil,
      head_dim: 64,
      max_position_embeddings: 2048,
      rope_parameters: {
        [evil]: { rope_type: 'default', rope_theta: 10000 },
        other: { rope_type: 'linear', factor: 2, rope_theta: 10000 },
      },
    });
    expect(await visit.panel.locator('choice-group[name="layer"]').innerText()).toContain(evil);
    await paste(`--rope-scale 8 "${evil.replaceAll('"', "'")}"`);
    expect(await textOf(visit.panel.locator('[data-code="not_read"]'))).toBeTruthy();
    await paste({ head_dim: evil });
    expect(await refusal()).toContain('head_dim');
    await dropFile(
      `${evil.replaceAll('/', '')}.gguf`,
      ggufFile({ keys: { 'general.architecture': { string: evil } } }),
    );
    await visit.panel.locator('.file').waitFor();
    await nextFrames(page);
    expect(await visit.panel.locator('img').count()).toBe(0);
    expect(await page.evaluate(() => 'struck' in window)).toBe(false);
  });

  test('is refused with the key, the rule and the value where it is wrong, and stays', async () => {
    await paste('{ "rope_theta": ');
    expect(await refusal()).toMatch(/^This cannot be read: json must be JSON/);
    expect(await visit.panel.locator('textarea').inputValue()).toBe('{ "rope_theta": ');
    expect(await visit.panel.locator('textarea').getAttribute('aria-invalid')).toBe('true');
    await paste({ rope_theta: 'high' });
    expect(await refusal()).toContain('rope_theta must be a finite number, got "high"');
    await dropFile('picture.png', new Uint8Array([0x89, 0x50, 0, 0]).buffer);
    await expect.poll(() => refusal()).toContain('is expected');
  });

  test.each(['[]', '[{"rope_theta": 10000}]', 'null', '7', '"--rope-scale 8"'])(
    'is no line of flags: %s',
    async (json) => {
      await paste(json);
      expect(await refusal()).toBe('This is JSON, but no configuration: that is an object, with its keys in braces.');
    },
  );

  /** Puts a text of a million characters or more into the box without sending it through the test. */
  const pasteLong = (begin: string, part: string, length: number, end = ''): Promise<void> =>
    visit.panel.locator('textarea').evaluate(
      (box, [begin, part, length, end]) => {
        (box as HTMLTextAreaElement).value = begin + part.repeat(length / part.length) + end;
        box.dispatchEvent(new Event('input'));
      },
      [begin, part, length, end] as const,
    );

  test('is read in the worker where it is long', async () => {
    const { page } = visit.opened;
    await page.evaluate(() => {
      const { parse } = JSON;
      Object.assign(window, { longest: 0 });
      JSON.parse = (text: string, reviver) => {
        const seen = window as unknown as { longest: number };
        seen.longest = Math.max(seen.longest, text.length);
        return parse(text, reviver) as unknown;
      };
    });
    await pasteLong(`${JSON.stringify(llama32).slice(0, -1)}, "lists": [`, '[1], ', 1_000_000, '2] } --rope-scale 2');
    await expect.poll(verdict).toContain('32 pairs per head');
    expect(await visit.panel.locator('.tag[lang="en"]').allInnerTexts()).toEqual(['HF v4', 'llama.cpp']);
    await pasteLong('{ "rope_theta": "', 'high', 1_000_000, '" }');
    await expect.poll(refusal).toMatch(/^This cannot be read: rope_theta must be a finite number, got "high/);
    expect((await refusal()).length).toBeLessThan(250);
    // What is typed meanwhile takes its place.
    await pasteLong(`${JSON.stringify(llama32).slice(0, -1)}, "lists": [`, '[1], ', 1_000_000, '2] }');
    await paste({ ...llama32, head_dim: 128 });
    expect(await verdict()).toContain('64 pairs per head');
    await nextFrames(page);
    expect(await verdict()).toContain('64 pairs per head');
    expect(await page.evaluate(() => (window as unknown as { longest: number }).longest)).toBeLessThan(10_000);
  });

  test('is not read where no configuration is that long', async () => {
    for (const part of ['a', '"', '{', '# ']) {
      await pasteLong('{"', part, 9_000_000);
      expect(await refusal()).toMatch(/more than four million characters/);
    }
    await paste(llama32);
    expect(await verdict()).toContain('32 pairs per head');
  });

  test('leaves nothing of the last answer where the next cannot be made, and says so', async () => {
    const { page, problems } = visit.opened;
    await paste(llama32);
    expect(await verdict()).toContain('32 pairs per head');
    // A failure that no check foresaw.
    await page.evaluate(() => {
      Float64Array.prototype.filter = () => {
        throw new RangeError('unforeseen');
      };
    });
    await paste({ ...llama32, head_dim: 128 });
    expect(await verdict()).toBe('No frequency can be computed from this.');
    expect(await visit.panel.locator('.facts, .need, canvas').count()).toBe(0);
    await nextFrames(page);
    expect(problems.splice(0).join()).toContain('unforeseen');
    await page.reload();
    await page.locator('#check').scrollIntoViewIfNeeded();
  });

  test('may have comments, which are left out', async () => {
    const kinds = () => visit.panel.locator('.tag[lang="en"]').allInnerTexts();
    const commented = `// from the hub {\n# of 2025\n/* } */\n{ "head_dim": 64, // "rope_theta": 1, }
      "model_type": "llama", # not "//" here\n "rope_theta": 20000, "torch_dtype": "https://x#y" /* } */ }\n--rope-scale 2`;
    await paste(commented);
    expect(await kinds()).toEqual(['HF v4', 'llama.cpp']);
    expect(await fact('before')).toBe(`6.28 … ${inGroups(2 * Math.PI * 20_000 ** (62 / 64))}`);
    expect(await textOf(visit.panel.locator('.paste .note'))).toBe('Comments were left out: JSON has none.');
    await paste('# llama-server\n--rope-scale 2');
    expect(await kinds()).toEqual(['llama.cpp']);
    expect(await visit.panel.locator('.paste .note').count()).toBe(0);
  });

  test('may be a file far larger than memory, of which only the header is read', async () => {
    const { page } = visit.opened;
    const header = Buffer.from(
      ggufFile({ keys: { 'general.architecture': { string: 'llama' }, 'llama.rope.freq_base': { f32: 500000 } } }),
    );
    // A file that says how much of it is read, dropped on the section.
    const read = await page.evaluate(
      async (bytes) => {
        const head = new Uint8Array(bytes);
        const size = 40e9;
        let total = 0;
        class Huge extends File {
          override get size(): number {
            return size;
          }
          override slice(from = 0, to = size): Blob {
            const part = new Uint8Array(to - from);
            part.set(head.subarray(from, to));
            total += part.length;
            return new Blob([part]);
          }
          override arrayBuffer(): Promise<ArrayBuffer> {
            throw new Error('the whole file was read');
          }
          override text(): Promise<string> {
            throw new Error('the whole file was read');
          }
        }
        const data = { types: ['Files'], files: [new Huge([], 'huge.gguf')] };
        const event = new Event('drop', { bubbles: true, cancelable: true });
        Object.defineProperty(event, 'dataTransfer', { value: data });
        document.querySelector('model-panel')!.dispatchEvent(event);
        while (!document.querySelector('model-panel .verdict, model-panel .refusal:not(:empty)'))
          await new Promise(requestAnimationFrame);
        return total;
      },
      [...header],
    );
    expect(await textOf(visit.panel.locator('.file'))).toContain('40 GB');
    expect(await verdict()).toContain('base 500 000');
    expect(read).toBeLessThan(64e6);
  });
});
