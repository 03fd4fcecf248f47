// Figures inside a page; see svg.hpp.
#include "reports/html/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "oracles/error.hpp"
#include "reports/escape.hpp"

namespace normcheck {
namespace {

constexpr std::array<const char*, 11> classes{"text",  "f64",   "f32",   "f16",   "bf16", "heat0",
                                              "heat1", "heat2", "heat3", "heat4", "heat5"};
constexpr int sentinel_green = 0, sentinel_blue = 7;

struct Attribute {
    std::string_view name;
    std::string_view value;
};
struct Tag {
    std::string_view name;
    bool closing = false;  // </name>
    bool empty = false;    // <name/>
    std::vector<Attribute> attributes;
};

bool is_space(char one) {
    return std::string_view(" \t\r\n").find(one) != std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

std::string_view take_name(std::string_view& text) {
    const size_t end = std::min(text.find_first_of(" \t\r\n=/"), text.size());
    const std::string_view name = text.substr(0, end);
    text.remove_prefix(end);
    return name;
}

std::optional<Attribute> take_attribute(std::string_view& text) {
    text = trimmed(text);
    if (text.empty()) return std::nullopt;
    Attribute result{take_name(text), ""};
    text = trimmed(text);
    require(text.starts_with('='), "an attribute has a value");
    text = trimmed(text.substr(1));
    require(!text.empty() && (text[0] == '"' || text[0] == '\''), "a value stands in quotes");
    const size_t end = text.find(text[0], 1);
    require(end != text.npos, "a value ends");
    result.value = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    return result;
}

/// The tag between < and >.
Tag parse_tag(std::string_view text) {
    Tag tag;
    tag.closing = text.starts_with('/');
    if (tag.closing) text.remove_prefix(1);
    tag.empty = text.ends_with('/');
    if (tag.empty) text.remove_suffix(1);
    tag.name = take_name(text);
    while (const std::optional<Attribute> attribute = take_attribute(text)) tag.attributes.push_back(*attribute);
    return tag;
}

std::string_view value_of(const Tag& tag, std::string_view name) {
    const auto found = std::ranges::find(tag.attributes, name, &Attribute::name);
    return found == tag.attributes.end() ? std::string_view() : found->value;
}

/// The class of a colour like "rgb(  3,   0,   7)" that stands for an ink; nothing for any other.
const char* ink_class(std::string_view colour) {
    if (!colour.starts_with("rgb(")) return nullptr;
    int parts[3] = {-1, -1, -1};
    const char* at = colour.data() + 4;
    const char* end = colour.data() + colour.size();
    for (int& part : parts) {
        while (at != end && (*at == ' ' || *at == ',')) ++at;
        at = std::from_chars(at, end, part).ptr;
    }
    const bool known =
        parts[0] >= 1 && parts[0] <= std::ssize(classes) && parts[1] == sentinel_green && parts[2] == sentinel_blue;
    return known ? classes[static_cast<size_t>(parts[0]) - 1] : nullptr;
}

std::string class_attribute(const Tag& tag) {
    std::string names;
    if (const char* stroke = ink_class(value_of(tag, "stroke"))) names += fmt::format("s-{}", stroke);
    if (const char* fill = ink_class(value_of(tag, "fill")))
        names += fmt::format("{}f-{}", names.empty() ? "" : " ", fill);
    return names.empty() ? "" : fmt::format(" class=\"{}\"", names);
}

/// What may stand in the page; gnuplot's defaults are left out, for the style sheet has them.
std::string kept_attributes(const Tag& tag) {
    constexpr std::string_view kept[] = {"d",         "points",       "transform",       "text-anchor",
                                         "font-size", "stroke-width", "stroke-dasharray"};
    std::string result = class_attribute(tag);
    for (const Attribute& one : tag.attributes) {
        const bool usual =
            (one.name == "font-size" && one.value == "13.00") || (one.name == "stroke-width" && one.value == "1.00");
        if (usual || std::ranges::find(kept, one.name) == std::end(kept)) continue;
        result += fmt::format(" {}=\"{}\"", one.name, trimmed(one.value));
    }
    return result;
}

/// Gnuplot refers to its marks; here the shape itself takes the place.
std::string mark(const Tag& tag) {
    struct Shape {
        std::string_view reference;
        const char* path;
    };
    constexpr Shape shapes[] = {{"#gpPt1", "M-1,-1 L1,1 M1,-1 L-1,1"},
                                {"#gpPt3", "M-1,-1 h2 v2 h-2 z"},
                                {"#gpPt5", "M-1,0 a1,1 0 1,0 2,0 a1,1 0 1,0 -2,0"},
                                {"#gpPt7", "M0,-1.33 L-1.33,0.67 L1.33,0.67 z"}};
    const auto shape = std::ranges::find(shapes, value_of(tag, "xlink:href"), &Shape::reference);
    const char* ink = ink_class(value_of(tag, "color"));
    require(shape != std::end(shapes) && ink != nullptr, "a mark is a known one in a known colour");
    return fmt::format("<path class=\"mark s-{}\" transform=\"{}\" d=\"{}\"/>\n", ink,
                       trimmed(value_of(tag, "transform")), shape->path);
}

class Cleaner {
  public:
    std::string run(std::string_view text) {
        while (true) {
            const size_t open = text.find('<');
            add_content(text.substr(0, open));
            if (open == text.npos) return result_;
            const size_t close = text.find('>', open);
            require(close != text.npos, "a tag ends");
            const std::string_view inside = text.substr(open + 1, close - open - 1);
            if (!inside.starts_with('?') && !inside.starts_with('!')) add(parse_tag(inside));
            text.remove_prefix(close + 1);
        }
    }

  private:
    static bool is_dropped_whole(std::string_view name) {
        constexpr std::string_view dropped[] = {"title", "desc", "defs", "script", "style", "foreignObject"};
        return std::ranges::find(dropped, name) != std::end(dropped);
    }

    void add(const Tag& tag) {
        if (is_dropped_whole(tag.name) && !tag.empty) depth_ += tag.closing ? -1 : 1;
        if (depth_ > 0) return;
        if (tag.name == "use") result_ += mark(tag);
        if (tag.name == "path" || tag.name == "polygon")
            result_ += fmt::format("<{}{}/>\n", tag.name, kept_attributes(tag));
        if (tag.name == "g") add_group(tag);
        if (tag.name == "text") {
            in_text_ = !tag.closing;
            result_ += tag.closing ? "</text>" : "<text>";
        }
    }

    /// Only groups that place something are kept.
    void add_group(const Tag& tag) {
        if (tag.empty) return;
        if (tag.closing) {
            require(!groups_.empty(), "a group that ends has begun");
            if (groups_.back()) result_ += "</g>\n";
            groups_.pop_back();
            return;
        }
        groups_.push_back(!value_of(tag, "transform").empty());
        if (groups_.back()) result_ += fmt::format("<g{}>", kept_attributes(tag));
    }

    void add_content(std::string_view text) {
        if (in_text_ && depth_ == 0) result_ += text;
    }

    std::string result_;
    std::vector<bool> groups_;  // open ones: whether they are kept
    int depth_ = 0;             // of elements that are dropped with all in them
    bool in_text_ = false;
};

}  // namespace

std::string colour_of(Ink ink) {
    return fmt::format("rgb '#{:02x}{:02x}{:02x}'", static_cast<int>(ink) + 1, sentinel_green, sentinel_blue);
}

const char* class_of(Ink ink) {
    return classes[static_cast<size_t>(ink)];
}

std::string inline_svg(std::string_view file, const std::string& id, const std::string& title,
                       const std::string& description) {
    const size_t start = file.find("<svg");
    require(start != file.npos, "a figure of gnuplot begins with <svg");
    const size_t end = file.find('>', start);
    require(end != file.npos, "a tag ends");
    const Tag root = parse_tag(file.substr(start + 1, end - start - 1));
    return fmt::format(
        "<svg viewBox=\"{0}\" role=\"img\" aria-labelledby=\"{1}-title {1}-text\">\n"
        "<title id=\"{1}-title\">{2}</title>\n<desc id=\"{1}-text\">{3}</desc>\n{4}</svg>\n",
        value_of(root, "viewBox"), id, escape_html(title), escape_html(description),
        Cleaner().run(file.substr(end + 1)));
}

}  // namespace normcheck
