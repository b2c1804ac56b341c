import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;
import org.apache.pdfbox.pdmodel.interactive.form.PDCheckBox;
import org.apache.pdfbox.pdmodel.interactive.form.PDField;

/** Fills, flattens and saves a form with PDFBox, as `pdf-peers.ts` asks for it. */
public final class PdfBoxFill {
  private static byte[] form;

  public static void main(String[] args) throws IOException {
    form = Files.readAllBytes(Path.of(args[0]));
    var asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var row = new LinkedHashMap<String, String>();
    for (String line = asked.readLine(); line != null; line = asked.readLine()) {
      String[] pair = line.split("\t", 2);
      if (pair.length == 2) {
        row.put(pair[0], pair[1]);
        continue;
      }
      long start = System.nanoTime();
      int left = fill(row, new ByteArrayOutputStream(form.length));
      System.out.println((System.nanoTime() - start) / 1e6 + " " + left);
      row.clear();
    }
  }

  /** Gives how many fields took no value. */
  private static int fill(Map<String, String> row, ByteArrayOutputStream out) throws IOException {
    int left = 0;
    try (PDDocument document = PDDocument.load(form)) {
      PDAcroForm acroForm = document.getDocumentCatalog().getAcroForm();
      // An XFA form is not flattened otherwise; pdf-lib drops that part too.
      acroForm.setXFA(null);
      for (PDField field : acroForm.getFieldTree()) {
        String value = row.get(field.getFullyQualifiedName());
        if (value != null && !takes(field, value)) left += 1;
      }
      acroForm.setNeedAppearances(false);
      acroForm.flatten();
      document.save(out);
    }
    return left;
  }

  private static boolean takes(PDField field, String value) throws IOException {
    try {
      if (!(field instanceof PDCheckBox)) field.setValue(value);
      else if (value.equals("true")) ((PDCheckBox) field).check();
      else ((PDCheckBox) field).unCheck();
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }
}
